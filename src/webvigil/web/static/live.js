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
  count(card);
  document.title = document.title.startsWith("● ") ? document.title : "● " + document.title;
}

// What has come to the screen is among "all" that can be marked as seen, and what has not is not.
function count(card) {
  const form = document.getElementById("all-seen");
  if (!form) return;
  form.elements.up_to.value = card.id.replace("change-", "");
  const button = document.querySelector("button[form=all-seen]");
  const unread = button.querySelector("[data-unread]");
  if (unread) unread.textContent = Number(unread.textContent) + 1;
  button.hidden = false;
  for (const place of document.querySelectorAll("header [data-unread]")) place.textContent = unread?.textContent ?? place.textContent;
}

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
