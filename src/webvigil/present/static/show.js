(() => {
  "use strict";
  const frames = [...document.querySelectorAll("iframe")], count = document.getElementById("here");
  const entries = [...document.querySelectorAll("#changes a[data-number]")], about = document.body.dataset;
  const total = entries.length || Number(about.total || 0), above = window.parent === window ? null : window.parent;
  const told = about.told ? JSON.parse(about.told) : null, first = told ? told.first : 1;
  let here = 0, marked = null, current = null;
  const tell = (one, what) => one.contentWindow.postMessage(what, "*");
  const go = (number, focus) => {
    if (!total) return;
    here = (number - 1 + total) % total + 1;
    if (count) count.textContent = here + " of " + total;
    if (above) if (told) above.postMessage({ wv: "here", number: here, total }, "*");
    if (current) current.removeAttribute("aria-current");
    current = entries[here - 1];
    if (current) current.setAttribute("aria-current", "true");
    frames.forEach((one) => tell(one, { wv: "go", number: here }));
    if (frames.length) return;
    const target = document.getElementById("c" + here);
    if (!target) { if (current) window.location.href = current.href; return; }
    if (marked) marked.classList.remove("here");
    marked = target;
    target.classList.add("here");
    target.tabIndex = -1;
    if (focus) { target.focus({ preventScroll: true }); target.scrollIntoView({ block: "center" }); }
  };
  const tellAbove = () => { if (above) if (told) above.postMessage({ wv: "changes", total, ...told }, "*"); };
  const key = (name) => {
    if (name === "n" || name === "j") go(here + 1, true);
    if (name === "p" || name === "k") go(here > 0 ? here - 1 : 0, true);
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if ("npjk".includes(event.key)) { event.preventDefault(); key(event.key); }
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-key]"), entry = event.target.closest("#changes a[data-number]");
    if (button) key(button.dataset.key);
    if (entry) if (frames.length) { event.preventDefault(); document.getElementById("changes").open = false; go(Number(entry.dataset.number), true); }
  });
  window.addEventListener("message", (event) => {
    const said = event.data || {}, from = frames.find((one) => one.contentWindow === event.source);
    if (!from) {
      if (event.source !== window.parent) return;
      if (said.wv === "key") key(String(said.key));
      if (said.wv === "go") go(Number(said.number), true);
      if (said.wv === "tell") tellAbove();
      return;
    }
    if (said.wv === "ready") tell(from, { wv: "go", number: here || first });
    if (said.wv === "key") key(String(said.key));
    if (said.wv === "lock") frames.filter((one) => one !== from).forEach((one) => tell(one, said));
  });
  for (const box of document.querySelectorAll(".swipe")) {
    const slide = box.querySelector("input"), stack = box.querySelector(".stack");
    const put = (part) => { slide.value = part; stack.style.setProperty("--at", slide.value + "%"); };
    const drag = (event) => { const area = stack.getBoundingClientRect(); put(100 * (event.clientX - area.left) / area.width); };
    slide.addEventListener("input", () => put(slide.value));
    stack.addEventListener("pointerdown", (event) => { event.preventDefault(); stack.setPointerCapture(event.pointerId); drag(event); });
    stack.addEventListener("pointermove", (event) => { if (event.buttons) drag(event); });
    put(50);
  }
  document.documentElement.classList.add("keys");
  const asked = Number(window.location.hash.slice(2));
  tellAbove();
  const swap = document.querySelector("button[data-swap]");
  if (swap) swap.addEventListener("click", () => {
    const before = document.body.classList.toggle("past");
    swap.textContent = before ? "Show after" : "Show before";
  });
  if (frames.length) go(first, false); else if (asked) go(asked, true);
})();
