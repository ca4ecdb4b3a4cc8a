// The one door to the server: its address and token, every request, and every reason why one failed.

export class Trouble extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

export const NO_SERVER = "no server", UNKNOWN_TOKEN = "unknown token", UNREACHABLE = "unreachable";
const PATIENCE = 60_000;

export async function settings() {
  return { server: "", token: "", every: 5, ...(await chrome.storage.local.get(["server", "token", "every"])) };
}

export const originOf = (server) => `${new URL(server).origin}/*`;

// The address without what follows the path; https where somebody wrote none, http for this machine.
export function normal(written) {
  const text = written.trim();
  if (!text) throw new Trouble(NO_SERVER, "Write the address of your server, such as https://vigil.example");
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/i.test(text);
  let url;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${local ? "http" : "https"}://${text}`);
  } catch {
    throw new Trouble(NO_SERVER, `“${text}” is no address; one is https://vigil.example`);
  }
  if (!/^https?:$/.test(url.protocol)) throw new Trouble(NO_SERVER, "The address begins with https:// or http://");
  if (url.username || url.password) throw new Trouble(NO_SERVER, "The address must not hold a password; the token says who you are");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

export const isLocal = (server) => /^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname);
export const isOpen = (server) => server.startsWith("http://") && !isLocal(server);

async function fetched(server, path, options) {
  try {
    return await fetch(server + path, {
      ...options, credentials: "omit", cache: "no-store", redirect: "manual", referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch (error) {
    if (error.name === "TimeoutError") throw new Trouble(UNREACHABLE, `${server} did not answer within a minute.`);
    const other = server.startsWith("https:") ? "http" : "https";
    throw new Trouble(UNREACHABLE, `Nothing answers at ${server}. Is the server running, and is the address right? `
      + `If it is reached by ${other}, begin the address with ${other}://`);
  }
}

// What the server says of a request that it refused, in its own words.
async function reason(answer, server) {
  if (answer.type === "opaqueredirect") {
    return new Trouble("moved", `${server} leads elsewhere. Open it in a tab, and give the address that it leads to`
      + (server.startsWith("http:") ? ", probably the same with https://" : "") + ".");
  }
  if (answer.status === 401) return new Trouble(UNKNOWN_TOKEN, "The server does not know this token. Make one under Account in the dashboard.");
  let told;
  try {
    told = await answer.json();
  } catch {
    return new Trouble("other", `There is something else than WebVigil at ${server} (it answered ${answer.status}).`);
  }
  const said = told.detail ?? told.title ?? `The server answered ${answer.status}`;
  const mistakes = (told.mistakes ?? []).map((one) => one.message ?? String(one)).filter((one) => !said.includes(one));
  return new Trouble(answer.status, [said, ...mistakes].join("\n"));
}

// Asks the API. `known` is the tag of an answer that is known already: the result is then null if nothing is new.
export async function ask(path, { body, known, query } = {}) {
  const { server, token } = await settings();
  if (!server || !token) throw new Trouble(NO_SERVER, "Say in the settings where your WebVigil server is.");
  const headers = { Authorization: `Bearer ${token}`, Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (known) headers["If-None-Match"] = known;
  const asked = query ? `?${new URLSearchParams(query)}` : "";
  const answer = await fetched(server, `/api/v1${path}${asked}`, {
    method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (answer.status === 304) return { content: null, tag: known };
  if (!answer.ok) throw await reason(answer, server);
  return { content: await answer.json(), tag: answer.headers.get("etag") };
}

// Tries a server and a token before they are kept: who is signed in, and whether the server has what we ask for.
export async function tried(server, token) {
  const health = await fetched(server, "/healthz", {});
  let told = null;
  try {
    told = await health.json();
  } catch {
    throw health.type === "opaqueredirect" ? await reason(health, server)
      : new Trouble("other", `There is something else than WebVigil at ${server} (it answered ${health.status}).`);
  }
  if (!told || typeof told.status !== "string") throw new Trouble("other", `There is something else than WebVigil at ${server}.`);
  const headers = { Authorization: `Bearer ${token}`, Accept: "application/json" };
  const me = await fetched(server, "/api/v1/me", { headers });
  if (!me.ok) throw await reason(me, server);
  const found = await fetched(server, "/api/v1/unread?newest=0", { headers });
  if (found.status === 404) throw new Trouble("old", "This server is older than the extension. Update WebVigil there.");
  if (!found.ok) throw await reason(found, server);
  return { me: await me.json(), unread: (await found.json()).count };
}
