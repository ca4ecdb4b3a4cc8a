// The popup: what the open page offers to be watched, and what is unread. `?tab=…` says which tab is meant where the
// popup is shown as a page of its own. Texts from pages and from the server are only ever put in as text.
import { ask, NO_SERVER, settings } from "./server.js";

const at = (id) => document.getElementById(id);
const HERE = "main";
let page = null, wish = { render: "" };

const wanted = Number(new URLSearchParams(location.search).get("tab"));
const tab = wanted ? await chrome.tabs.get(wanted).catch(() => null)
  : (await chrome.tabs.query({ active: true, currentWindow: true }))[0];

function made(tag, text = "", more = {}) {
  const one = document.createElement(tag);
  one.textContent = text;
  return Object.assign(one, more);
}

function tell(id, text, state = "") {
  at(id).textContent = text;
  at(id).hidden = !text;
  if (state || id === "said") at(id).className = state;
}

// Runs one piece of work; trouble is told in the server's own words, and buttons wait meanwhile.
async function doing(what, work) {
  tell("trouble", "");
  tell("said", what);
  const buttons = [...document.querySelectorAll("main button")];
  for (const one of buttons) one.disabled = true;
  try {
    return await work();
  } catch (error) {
    tell("trouble", error.message);
    return undefined;
  } finally {
    for (const one of buttons) one.disabled = false;
    if (at("said").textContent === what) tell("said", "");
  }
}

const linked = (text, path, server) => made("a", text, { href: server + path, target: "_blank", rel: "noreferrer" });
const placeOf = (name) => `/sentinels/${encodeURIComponent(name)}`;

// --- the open page ----------------------------------------------------------------------------------

async function showPage(server) {
  at("page").hidden = false;
  const url = tab?.url && /^https?:/.test(tab.url) ? tab.url.split("#")[0] : "";
  if (!url) {
    at("ways").hidden = true;
    at("title").textContent = "This is no page of the web";
    at("address").textContent = "Open a page whose address begins with https:// or http://, then come back.";
    return;
  }
  page = { url, title: tab.title ?? "" };
  at("title").textContent = page.title || url;
  at("address").textContent = url.replace(/^https?:\/\//, "");
  const { picked } = await chrome.storage.session.get("picked");
  if (picked?.tab === tab.id) {
    await chrome.storage.session.remove("picked");
    await doing("Reading …", () => offer(picked.choices, picked.chosen, picked.url));
  }
  const { content } = await ask("/sentinels", { query: { words: url, limit: 20 } });
  const watching = content.filter((one) => one.pages.some((each) => each.url === url));
  if (watching.length === 0) return;
  at("watched").replaceChildren("You watch this page already: ");
  for (const [number, one] of watching.entries()) at("watched").append(number ? ", " : "", linked(one.name, placeOf(one.name), server));
  at("watched").hidden = false;
}

// Shows what can be watched. `choices` were picked; without them the server looks at the page and offers.
async function offer(choices, chosen, url = page.url) {
  const { content } = await ask("/offers", { body: { url, title: page.title, look: !choices } });
  const offers = choices ?? content.offers;
  const first = choices ? chosen : Math.max(0, offers.findIndex((one) => one.recommended));
  at("choices").replaceChildren(...offers.map((one, number) => option(one, number === first)));
  at("every").replaceChildren(...content.every.map((one) => made("option", one.label, { value: one.value })));
  const ways = content.tell.map((one) => made("option", `${one.value} (${one.label})`, { value: one.value }));
  at("tell").replaceChildren(made("option", "nobody: the inbox is enough", { value: "" }), ...ways);
  at("name").value = content.name;
  wish = { render: "", url, topic: content.topic };
  at("missing").hidden = true;
  at("form").hidden = false;
  at("ways").hidden = Boolean(choices);
  at("choices").querySelector("input:checked")?.focus();
}

function option(one, checked) {
  const box = made("label", "", { className: "opt" });
  const radio = made("input", "", { type: "radio", name: "choice", checked });
  radio.dataset.monitor = one.monitor;
  radio.dataset.within = one.within;
  const text = made("span");
  text.append(made("b", one.label));
  if (one.recommended) text.append(" ", made("span", "Recommended", { className: "chip" }));
  if (one.times !== undefined && ["text", "value", "part"].includes(one.kind)) {
    text.append(" ", made("small", `found ${one.times === 1 ? "once" : `${one.times} times`} now`));
  }
  const about = [one.about, one.sample].filter(Boolean).join(" ");
  if (about) text.append(made("small", about, { className: "d" }));
  box.append(radio, text);
  if (one.now) box.append(made("span", one.now, { className: "v" }));
  return box;
}

async function composed() {
  const choice = at("choices").querySelector("input:checked");
  const { content } = await ask("/compose", { body: {
    url: wish.url, name: at("name").value.trim(), monitor: choice.dataset.monitor, within: choice.dataset.within,
    fetch: at("every").value, notify: at("tell").value, topic: wish.topic, render: wish.render,
  } });
  return content.text;
}

// The server looks first whether it sees on the page what is to be watched: it has no log-in and runs no scripts.
async function start(server, { anyway = false } = {}) {
  const text = await composed();
  if (!anyway) {
    const { content } = await ask("/preview", { body: { text } });
    const missing = content.flatMap((one) => one.missing);
    if (missing.length > 0) {
      at("lacks").textContent = `WebVigil does not see this on the page${wish.render ? ", even with a browser" : ""}: ${missing.join("; ")}`;
      at("browser").hidden = wish.render === "browser";
      at("missing").hidden = false;
      return;
    }
  }
  const { content } = await ask("/sentinels", { query: { new: true }, body: { text } });
  at("form").hidden = true;
  at("ways").hidden = true;
  const [one] = content;
  tell("said", "Watching: ", "ok");
  at("said").append(linked(one.name, placeOf(one.name), server));
  for (const warning of one.warnings ?? []) at("said").append(made("small", warning, { className: "d warn" }));
  chrome.runtime.sendMessage({ do: "count" });
}

// --- what is unread ---------------------------------------------------------------------------------

async function showNews(server) {
  const { content } = await ask("/unread", { query: { newest: 5 } });
  at("news").hidden = false;
  at("unread").textContent = content.count ? `${content.more ? "More than " : ""}${content.count} unread` : "Nothing unread";
  at("newest").replaceChildren(...content.newest.map((one) => {
    const entry = made("li");
    entry.append(linked(one.headline, `/changes/${Number(one.id)}`, server),
      made("small", [one.title || one.sentinel, new Date(one.found_at).toLocaleString()].join(" · "), { className: "d" }));
    return entry;
  }));
  if (content.count > content.newest.length) {
    const all = made("li");
    all.append(linked("All in the inbox", "/inbox", server));
    at("newest").append(all);
  }
  chrome.runtime.sendMessage({ do: "count" });
}

// --- what the buttons do ----------------------------------------------------------------------------

async function pick() {
  await chrome.scripting.executeScript({ target: { tabId: tab.id }, files: ["picker.js", "pick.js"] });
  await chrome.tabs.update(tab.id, { active: true });
  if (!wanted) window.close();
}

at("settings").addEventListener("click", () => chrome.runtime.openOptionsPage());
const { server } = await settings();
if (!server) {
  at("trouble").hidden = false;
  at("trouble").className = HERE;
  at("trouble").textContent = "Say in the settings where your WebVigil server is.";
  at("settings").className = "primary";
  at("settings").focus();
} else {
  at("dashboard").href = server;
  at("dashboard").hidden = false;
  at("look").addEventListener("click", () => doing("The server looks at the page …", () => offer()));
  at("pick").addEventListener("click", () => doing("", pick));
  at("form").addEventListener("submit", (event) => {
    event.preventDefault();
    doing("Starting …", () => start(server));
  });
  at("anyway").addEventListener("click", () => doing("Starting …", () => start(server, { anyway: true })));
  at("browser").addEventListener("click", () => {
    wish.render = "browser";
    doing("The server looks with a browser …", () => start(server));
  });
  await doing("", async () => {
    await Promise.all([showPage(server), showNews(server)]);
  });
}
document.body.dataset.ready = "";
