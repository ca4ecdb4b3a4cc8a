// The picker: hears from its frame which element was meant, asks the server what that is, and shows the answer.
"use strict";

const frame = document.getElementById("pick");
const token = frame.dataset.token;
const toFrame = (what) => frame.contentWindow.postMessage(what, "*");
const follows = () => document.querySelector("input[name=click]:checked").value === "follow";
const choices = () => [...document.querySelectorAll("#picked input[name=choice]")];
const chosen = () => choices().find((one) => one.checked);

// Only the frame itself, only with the token that this page was given, and only a number.
addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow || event.origin !== "null") return;
  if (event.data?.token !== token || !Number.isSafeInteger(event.data.node)) return;
  const path = follows() ? "/add/pick/follow" : "/add/pick/node";
  htmx.ajax("POST", path, { target: "#picked", swap: "innerHTML", values: { token, node: event.data.node } });
});

// Trouble is told where the answer would stand.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "picked" && event.detail.xhr.status < 500) event.detail.shouldSwap = true;
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "picked") return;
  document.getElementById("rest").hidden = !chosen();
  show();
  // On a phone the answer stands below the page.
  if (matchMedia("(max-width: 60rem)").matches) event.detail.target.firstElementChild?.querySelector("legend")?.scrollIntoView({ block: "center" });
});

function show() {
  const one = chosen();
  if (!one) return;
  toFrame({ wv: "show", node: Number(one.dataset.node) });
  if (one.dataset.phrase !== undefined) edit(one.dataset.phrase, one.dataset.before, one.dataset.after);
  const all = choices(), at = all.indexOf(one);
  for (const button of document.querySelectorAll("#picked [data-step]")) {
    button.disabled = !all[at + Number(button.dataset.step)];
  }
}

// The words of a phrase and those around it; a word that is chosen is taken in with all between.
function edit(phrase, before, after) {
  document.querySelector("input[name=phrase]").value = phrase;
  const sides = { before: before.split(" ").filter(Boolean), after: after.split(" ").filter(Boolean) };
  for (const [side, words] of Object.entries(sides)) {
    const buttons = words.map((word, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = word;
      button.addEventListener("click", () => {
        if (side === "before") edit([...words.slice(at), phrase].join(" "), words.slice(0, at).join(" "), after);
        else edit([phrase, ...words.slice(0, at + 1)].join(" "), before, words.slice(at + 1).join(" "));
        document.querySelector("#picked fieldset").dispatchEvent(new Event("change"));
      });
      return button;
    });
    document.querySelector(`.context[data-side=${side}]`).replaceChildren(...buttons);
  }
}

// What was chosen before, where the server gives the view back.
if (chosen()) {
  show();
  frame.addEventListener("load", show);
}

// Before the preview is asked for: it sends the words of the choice.
document.addEventListener("change", (event) => {
  if (event.target.name === "choice") show();
  if (event.target.name === "click") toFrame({ wv: "follow", follows: follows() });
}, true);

document.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (!step) return;
  const all = choices(), next = all[all.indexOf(chosen()) + Number(step.dataset.step)];
  if (!next) return;
  next.checked = true;
  next.dispatchEvent(new Event("change", { bubbles: true }));
});
