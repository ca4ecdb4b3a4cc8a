(() => {
  "use strict";
  const frames = [...document.querySelectorAll("iframe")], count = document.getElementById("here");
  const entries = [...document.querySelectorAll("#changes a[data-number]")], total = entries.length;
  let here = 0, marked = null, current = null;
  const tell = (one, what) => one.contentWindow.postMessage(what, "*");
  const go = (number, focus) => {
    if (!total) return;
    here = (number - 1 + total) % total + 1;
    count.textContent = here + " of " + total;
    if (current) current.removeAttribute("aria-current");
    current = entries[here - 1];
    current.setAttribute("aria-current", "true");
    frames.forEach((one) => tell(one, { wv: "go", number: here }));
    if (frames.length) return;
    const target = document.getElementById("c" + here);
    if (!target) { window.location.href = entries[here - 1].href; return; }
    if (marked) marked.classList.remove("here");
    marked = target;
    target.classList.add("here");
    target.tabIndex = -1;
    if (focus) { target.focus({ preventScroll: true }); target.scrollIntoView({ block: "center" }); }
  };
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
    if (!from) { if (event.source === window.parent) if (said.wv === "key") key(String(said.key)); return; }
    if (said.wv === "ready") tell(from, { wv: "go", number: here || 1 });
    if (said.wv === "key") key(String(said.key));
    if (said.wv === "lock") frames.filter((one) => one !== from).forEach((one) => tell(one, said));
  });
  document.documentElement.classList.add("keys");
  const asked = Number(window.location.hash.slice(2));
  if (frames.length) go(1, false); else if (asked) go(asked, true);
})();
