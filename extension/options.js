// The settings: where the server is, and the token. They are kept when the server has answered.
import { isOpen, normal, originOf, settings, tried } from "./server.js";

const at = (id) => document.getElementById(id);
const form = at("form");

function say(text, state) {
  at("said").textContent = text;
  at("said").className = state;
}

function warn() {
  let open = false;
  try {
    open = isOpen(normal(at("server").value));
  } catch {
    // Not written to its end yet.
  }
  at("open").hidden = !open;
  return open;
}

const known = await settings();
at("server").value = known.server;
at("token").value = known.token;
at("every").value = String(known.every);
warn();
at("server").addEventListener("input", warn);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const server = normal(at("server").value), token = at("token").value.trim();
    if (warn() && !at("plain").checked) {
      return say("The token would travel without encryption. Use https, or allow it below.", "bad");
    }
    // Asked for right away: a browser grants it only as the answer to a click.
    if (!(await chrome.permissions.request({ origins: [originOf(server)] }))) {
      return say(`Without your permission the extension cannot reach ${server}.`, "bad");
    }
    say("Trying it …", "");
    const { me, unread } = await tried(server, token);
    await withdraw(known.server, server);
    await chrome.storage.local.set({ server, token, every: Number(at("every").value) });
    known.server = server;
    at("server").value = server;
    const may = me.scope === "read" ? " This token may only read: to watch pages, make one with the scope write." : "";
    return say(`Connected as ${me.name}; ${unread} unread.${may}`, may ? "warn" : "ok");
  } catch (error) {
    return say(error.message, "bad");
  }
});

at("forget").addEventListener("click", async () => {
  await withdraw(known.server, "");
  await chrome.storage.local.clear();
  await chrome.storage.session.clear();
  known.server = at("server").value = at("token").value = "";
  say("Address and token are forgotten.", "ok");
});

// The right to reach a server ends when another one takes its place.
async function withdraw(old, now) {
  if (!old || (now && originOf(old) === originOf(now))) return;
  try {
    await chrome.permissions.remove({ origins: [originOf(old)] });
  } catch {
    // It was not given by the user but by the browser's administrator.
  }
}
