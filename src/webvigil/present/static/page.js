(() => {
  "use strict";
  const page = document, above = window.parent, now = () => performance.now();
  const all = (what) => [...Document.prototype.querySelectorAll.call(page, what)];
  const say = (what) => above.postMessage(what, "*");
  let quiet = 0, went = 0, gone = 0;
  const reveal = (one) => {
    for (let box = one; box; box = box.parentElement) {
      if (getComputedStyle(box).display === "none") box.style.setProperty("display", "revert", "important");
      if (box.localName === "details") box.open = true;
    }
  };
  const go = (number) => {
    went = number;
    gone = now();
    all(".wv-here, .wv-around").forEach((one) => one.classList.remove("wv-here", "wv-around"));
    const flag = Document.prototype.getElementById.call(page, "wv-c" + number);
    if (!flag) return;
    reveal(flag);
    quiet = now() + 600;
    flag.classList.add("wv-here");
    if (!flag.classList.contains("wv-quiet")) if (flag.parentElement !== page.body) flag.parentElement.classList.add("wv-around");
    const box = flag.getClientRects().length ? flag : flag.parentElement;
    const top = box.getBoundingClientRect().top + window.scrollY;
    window.scrollTo(0, Math.max(0, top - window.innerHeight / 3));
  };
  const locks = () => all(".wv-lock").map((one) => [one.dataset.wvLock, one.getBoundingClientRect().top + window.scrollY]);
  const height = () => page.documentElement.scrollHeight;
  const place = () => {
    const line = window.scrollY + window.innerHeight / 3, found = [["first", 0], ...locks(), ["last", height()]];
    let at = 0;
    found.slice(0, -1).forEach((one, number) => { if (line >= one[1]) at = number; });
    const [from, to] = [found[at], found[Math.min(at + 1, found.length - 1)]];
    return { wv: "lock", from: from[0], to: to[0], part: to[1] > from[1] ? (line - from[1]) / (to[1] - from[1]) : 0 };
  };
  const follow = (where) => {
    const known = new Map([["first", 0], ...locks(), ["last", height()]]);
    if (!known.has(where.from) || !known.has(where.to)) return;
    const [from, to] = [known.get(where.from), known.get(where.to)];
    quiet = now() + 150;
    window.scrollTo(0, from + where.part * (to - from) - window.innerHeight / 3);
  };
  Document.prototype.addEventListener.call(page, "scroll", () => { if (now() > quiet) if (window.innerHeight) say(place()); }, { passive: true });
  // A frame gets its size while its page is loading: what was gone to then is gone to again.
  window.addEventListener("resize", () => { if (went) if (now() - gone < 2000) go(went); });
  Document.prototype.addEventListener.call(page, "keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ("npjk".includes(event.key)) { event.preventDefault(); say({ wv: "key", key: event.key }); }
  });
  Document.prototype.addEventListener.call(page, "click", (event) => event.preventDefault(), true);
  window.onmessage = (event) => {
    if (event.source !== above) return;
    if (event.data.wv === "go") go(Number(event.data.number));
    if (event.data.wv === "lock") follow(event.data);
  };
  say({ wv: "ready" });
})();
