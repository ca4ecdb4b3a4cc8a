// A large file is sent with a bar that shows how much has arrived. The answer then takes the place of the page.
"use strict";

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-upload]")) return;
  event.preventDefault();
  send(event.target);
});

function send(form) {
  const shown = form.querySelector("[role=status]");
  const bar = form.querySelector("progress");
  const button = form.querySelector("button");
  const request = new XMLHttpRequest();
  shown.parentElement.hidden = false;
  button.disabled = true;
  request.open("POST", form.action);
  request.responseType = "document";
  request.upload.addEventListener("progress", (sent) => {
    const share = Math.floor((100 * sent.loaded) / sent.total);
    bar.value = share;
    shown.textContent = `${share} % sent`;
  });
  request.upload.addEventListener("load", () => {
    bar.removeAttribute("value");
    shown.textContent = "Reading the archive…";
  });
  request.addEventListener("load", () => show(request.response));
  request.addEventListener("error", () => {
    shown.textContent = "The connection was lost. Try again.";
    button.disabled = false;
  });
  request.send(new FormData(form));
}

function show(answer) {
  const main = answer?.querySelector("main");
  if (!main) return window.location.reload();
  document.querySelector("main").replaceWith(main);
  window.htmx?.process(main);
  window.scrollTo(0, 0);
}
