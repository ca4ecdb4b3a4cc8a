// In the frame of the picker: shows what a click would mean, and tells the page around it which element was meant.
(() => {
  "use strict";
  const page = document, above = window.parent, { token, home } = page.currentScript.dataset;
  const listen = (what, act, more) => Document.prototype.addEventListener.call(page, what, act, more);
  const all = (what) => [...Document.prototype.querySelectorAll.call(page, what)];
  const names = { table: "Table", list: "List", value: "Value", text: "Text", picture: "Picture" };
  const label = page.createElement("div");
  label.className = "wv-label";
  label.hidden = true;
  page.body.append(label);
  let follows = false;

  const meant = (one) => {
    if (!(one instanceof Element)) return null;
    if (follows) return one.closest("a[data-wv-node]");
    return one.closest("[data-wv-kind]") ?? one.closest("[data-wv-node]");
  };
  const said = (one) => (follows ? "Follow this link" : names[one.dataset.wvKind] ?? "Part of the page");
  const unmark = (name) => all("." + name).forEach((one) => one.classList.remove(name));
  const over = (one) => {
    unmark("wv-over");
    label.hidden = !one;
    if (!one) return;
    one.classList.add("wv-over");
    const box = one.getBoundingClientRect();
    label.textContent = said(one);
    label.style.setProperty("left", Math.max(2, Math.min(box.left, window.innerWidth - 160)) + "px", "important");
    label.style.setProperty("top", (box.top > 26 ? box.top - 25 : Math.max(2, Math.min(box.bottom + 4, window.innerHeight - 26))) + "px", "important");
  };
  const choose = (one) => { if (one) above.postMessage({ token, node: Number(one.dataset.wvNode) }, home); };

  listen("pointerover", (event) => over(meant(event.target)));
  page.documentElement.addEventListener("pointerleave", () => over(null));
  listen("scroll", () => { label.hidden = true; }, { passive: true });
  listen("focusin", (event) => over(meant(event.target)));
  listen("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    choose(meant(event.target));
  }, true);
  listen("keydown", (event) => {
    if (event.target === page.body || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    choose(meant(event.target));
  }, true);
  listen("submit", (event) => event.preventDefault(), true);
  window.onmessage = (event) => {
    if (event.source !== above) return;
    if (event.data.wv === "follow") {
      follows = event.data.follows === true;
      page.documentElement.classList.toggle("wv-follow", follows);
      over(null);
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
    one.setAttribute("aria-label", `${names[kind]}: ${text}`);
  }
})();
