// New changes arrive as server-sent events, each a finished card, and go on top of the list.
"use strict";

const list = document.getElementById("changes");
const newest = () => list.querySelector(".change")?.id.replace("change-", "") || list.dataset.newest;
const live = document.getElementById("live");

function say(text, state) {
  live.textContent = text;
  live.dataset.state = state;
}

function show(event) {
  const holder = document.createElement("template");
  holder.innerHTML = event.data;
  const card = holder.content.firstElementChild;
  if (document.getElementById(card.id)) return;
  card.classList.add("fresh");
  (list.querySelector("[data-today]") ?? list).prepend(card);
  window.htmx?.process(card);
  document.getElementById("waiting")?.setAttribute("hidden", "");
  include(card);
  document.title = document.title.startsWith("● ") ? document.title : "● " + document.title;
}

// What has come to the screen is among "all" that can be marked as seen, and what has not is not.
function include(card) {
  const form = document.getElementById("all-seen");
  if (!form) return;
  form.elements.up_to.value = card.id.replace("change-", "");
  document.querySelector("button[form=all-seen]").hidden = false;
}

// All counts of unread changes go with the cards: one that arrives counts, one that was marked counts no more. A number
// such as "99+" stays.
const known = new Map([...list.querySelectorAll(".change")].map((one) => [one.id, one.classList.contains("unread")]));
function recount() {
  let more = 0;
  for (const card of list.querySelectorAll(".change")) {
    const unread = card.classList.contains("unread");
    const before = known.get(card.id) ?? (card.classList.contains("fresh") ? false : unread);
    more += unread - before;
    known.set(card.id, unread);
  }
  for (const place of more ? document.querySelectorAll("[data-unread]") : []) {
    const number = Number(place.textContent) + more;
    if (Number.isNaN(number)) continue;
    place.textContent = Math.max(number, 0);
    const around = place.closest(".count");
    if (around) around.hidden = number <= 0;
  }
  const today = list.querySelector("[data-today]"), told = list.querySelector("[data-counts]");
  if (!more || !today || !told) return;
  told.parentElement.hidden = false;
  const all = today.querySelectorAll(".change").length, unread = today.querySelectorAll(".change.unread").length;
  told.textContent = `${all} ${all === 1 ? "change" : "changes"}` + (unread ? `, ${unread} unread` : "");
}
// A card that htmx replaces has the classes of the old one for a moment, and gets its own by a change of the attribute.
new MutationObserver(recount).observe(list, { childList: true, subtree: true, attributeFilter: ["class"] });

let source;

function listen() {
  source = new EventSource("/events?after=" + newest());
  source.addEventListener("open", () => say("live", "on"));
  source.addEventListener("error", () => say(lost(), "off"));
  if (!("filtered" in list.dataset)) source.addEventListener("change", show);
}

// A browser tries again by itself, unless the server has said no.
function lost() {
  return source.readyState === EventSource.CLOSED
    ? "not live: signed out, or open in too many windows; load the page again"
    : "connection lost, trying again…";
}

listen();
window.addEventListener("focus", () => { document.title = document.title.replace(/^● /, ""); });
window.addEventListener("pagehide", () => source.close());
window.addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
