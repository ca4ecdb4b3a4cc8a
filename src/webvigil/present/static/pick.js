// In the frame of the picker: tells the page around it which element was meant.
(() => {
  "use strict";
  const page = document, above = window.parent, { token, home } = page.currentScript.dataset;
  const all = (what) => [...Document.prototype.querySelectorAll.call(page, what)];
  const told = (one, name) => Element.prototype.getAttribute.call(one, name);
  const label = page.createElement("div");
  label.className = "wv-label";
  label.hidden = true;
  page.body.append(label);
  const unmark = (name) => all("." + name).forEach((one) => one.classList.remove(name));

  const picker = globalThis.webvigilPicker({
    page,
    label,
    kindOf: (one) => told(one, "data-wv-kind"),
    isNode: (one) => told(one, "data-wv-node") !== null,
    mark: (one) => {
      unmark("wv-over");
      one?.classList.add("wv-over");
    },
    choose: (one) => above.postMessage({ token, node: Number(told(one, "data-wv-node")) }, home),
  });
  window.onmessage = (event) => {
    if (event.source !== above) return;
    if (event.data.wv === "follow") {
      const follows = event.data.follows === true;
      page.documentElement.classList.toggle("wv-follow", follows);
      picker.follow(follows);
    }
    if (event.data.wv === "show") {
      unmark("wv-picked");
      const one = all(`[data-wv-node="${Number(event.data.node)}"]`)[0];
      if (!one) return;
      one.classList.add("wv-picked");
      const box = one.getBoundingClientRect();
      if (box.bottom < 0 || box.top > window.innerHeight) one.scrollIntoView({ block: "center" });
    }
  };

  for (const one of all("details")) one.open = true;
  for (const one of all("[data-wv-kind]")) {
    const kind = one.dataset.wvKind;
    one.tabIndex = 0;
    if (kind === "text" || kind === "value") one.setAttribute("role", "button");
    const text = one.textContent.trim().replace(/\s+/g, " ").slice(0, 80) || one.getAttribute("alt") || "";
    one.setAttribute("aria-label", `${picker.names[kind]}: ${text}`);
  }
})();
