// The picker: shows at each element what a click on it would mean, and hands over the element that was meant.
// The dashboard's frame and the browser extension run this same file.
globalThis.webvigilPicker = (given) => {
  "use strict";
  const { page, label, kindOf, isNode, mark, choose, stops = [] } = given;
  const names = { table: "Table", list: "List", value: "Value", text: "Text", picture: "Picture" };
  const ending = new AbortController();
  // By way of the prototypes: a form may have a field that is named like a method.
  const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, "parentElement").get;
  const listen = (what, act, more) =>
    Document.prototype.addEventListener.call(page, what, act, { signal: ending.signal, ...more });
  let follows = false, current = null;

  const nearest = (one, fits) => {
    while (one && !fits(one)) one = parentOf.call(one);
    return one;
  };
  const meant = (one) => {
    if (!(one instanceof Element)) return null;
    if (follows) return nearest(one, (each) => each.localName === "a" && isNode(each));
    return nearest(one, kindOf) ?? nearest(one, isNode);
  };
  const said = (one) => (follows ? "Follow this link" : names[kindOf(one)] ?? "Part of the page");
  // Shows what a click on an element would mean, and returns it in words.
  const over = (one) => {
    current = one;
    mark(one);
    label.hidden = !one;
    if (!one) return "";
    const box = Element.prototype.getBoundingClientRect.call(one);
    label.textContent = said(one);
    label.style.setProperty("left", Math.max(2, Math.min(box.left, window.innerWidth - 160)) + "px", "important");
    label.style.setProperty("top", (box.top > 26 ? box.top - 25 : Math.max(2, Math.min(box.bottom + 4, window.innerHeight - 26))) + "px", "important");
    return said(one);
  };
  const taken = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };

  listen("pointerover", (event) => over(meant(event.target)));
  page.documentElement.addEventListener("pointerleave", () => over(null), { signal: ending.signal });
  listen("scroll", () => { label.hidden = true; }, { passive: true });
  listen("focusin", (event) => over(meant(event.target)));
  listen("click", (event) => {
    taken(event);
    const one = meant(event.target);
    if (one) choose(one);
  }, { capture: true });
  listen("keydown", (event) => {
    if (event.target === page.body || (event.key !== "Enter" && event.key !== " ")) return;
    taken(event);
    const one = meant(event.target);
    if (one) choose(one);
  }, { capture: true });
  listen("submit", taken, { capture: true });

  return {
    names,
    stops,
    over,
    take: () => { if (current) choose(current); },
    follow: (wanted) => {
      follows = wanted;
      over(null);
    },
    end: () => {
      ending.abort();
      over(null);
    },
  };
};
