// New changes arrive as server-sent events, each a finished card, and go on top of the list.
"use strict";

const list = document.getElementById("changes");
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
  list.prepend(card);
  window.htmx?.process(card);
  document.getElementById("waiting")?.setAttribute("hidden", "");
  document.title = document.title.startsWith("● ") ? document.title : "● " + document.title;
}

const source = new EventSource("/events?after=" + list.dataset.newest);
source.addEventListener("open", () => say("live", "on"));
source.addEventListener("error", () => say("connection lost, trying again…", "off"));
if (!("filtered" in list.dataset)) source.addEventListener("change", show);
window.addEventListener("focus", () => { document.title = document.title.replace(/^● /, ""); });
window.addEventListener("pagehide", () => source.close());
