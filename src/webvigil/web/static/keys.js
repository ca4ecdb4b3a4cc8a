// Keys j k o e a / ?, questions before something is removed, boxes that choose all, and copying.
"use strict";

const items = () => [...document.querySelectorAll(".change, .row")];

function move(step) {
  const all = items();
  if (!all.length) return;
  const at = all.findIndex((one) => one.contains(document.activeElement));
  const next = all[Math.min(Math.max(at + step, 0), all.length - 1)];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

const current = () => items().find((one) => one.contains(document.activeElement));

const keys = {
  j: () => move(1),
  k: () => move(-1),
  o: () => current()?.querySelector("[data-open]")?.click(),
  e: () => {
    const one = current();
    const all = items();
    const next = all[all.indexOf(one) + 1];
    one?.querySelector("[data-seen]")?.click();
    next?.focus();
  },
  a: () => { location.href = "/add"; },
  "/": () => {
    const boxes = [...document.querySelectorAll("[data-find]")];
    const box = boxes.find((one) => one.offsetParent);
    if (box) box.focus(); else location.href = "/search";
  },
  "?": () => document.getElementById("help").showModal(),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, dialog[open]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});

// A menu closes when the reader turns to something else.
const menus = () => document.querySelectorAll("details.more[open]");
document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

document.addEventListener("click", (event) => {
  const asking = event.target.closest("[data-ask]");
  if (asking && !confirm(asking.dataset.ask)) event.preventDefault();
});

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-all]")) return;
  for (const box of document.querySelectorAll("input[name=name][type=checkbox]")) box.checked = event.target.checked;
});

// How many are chosen stands in front of what can be done with them.
document.addEventListener("change", () => {
  const chosen = document.querySelectorAll("input[name=name][type=checkbox]:checked").length;
  for (const place of document.querySelectorAll("[data-chosen]")) place.textContent = `${chosen} chosen`;
});

// A secret is shown once: a button copies it, where the browser lets it.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = button.parentElement.querySelector("input");
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); button.textContent = "Copied"; }
    catch { button.textContent = "Press Ctrl+C"; }
  });
}

for (const link of document.querySelectorAll("[data-bookmarklet]")) {
  link.href = `javascript:location.href=${JSON.stringify(location.origin + "/add?url=")}+encodeURIComponent(location.href)`;
}

// The zone of this browser is offered where another one is shown; whoever keeps that is not asked again.
const offers = document.querySelectorAll("[data-zone]");
const zone = offers.length ? Intl.DateTimeFormat().resolvedOptions().timeZone : "";
for (const offer of offers) {
  const keep = offer.querySelector("[data-keep]");
  if (!zone || zone === offer.dataset.zone || (keep && localStorage.getItem("keptZone") === offer.dataset.zone)) continue;
  offer.elements.zone.value = zone;
  offer.querySelector("strong").textContent = zone;
  offer.hidden = false;
  keep?.addEventListener("click", () => { localStorage.setItem("keptZone", offer.dataset.zone); offer.hidden = true; });
}

// What was asked for in the background and did not come is told on top of the page.
function tell(words) {
  const box = document.getElementById("told") ?? document.createElement("p");
  box.id = "told";
  box.className = "trouble";
  box.setAttribute("role", "alert");
  box.textContent = words;
  document.getElementById("main").prepend(box);
  box.scrollIntoView({ block: "nearest" });
}

document.addEventListener("htmx:sendError", () => tell("WebVigil does not answer. Is it running? Try again."));
document.addEventListener("htmx:responseError", (event) => {
  if (event.detail.shouldSwap || event.detail.target?.id === "picked") return;
  const status = event.detail.xhr.status;
  if (status === 401) tell("You are signed out. Load the page again to sign in.");
  else if (status === 404) tell("This is not there any more. Load the page again.");
  else tell("That did not work. Load the page again, and look into Health if it stays.");
});
