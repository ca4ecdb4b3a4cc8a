// A shown page: the list beside it and the page know each other by numbers, keys step from change to change,
// and the handle of the time machine steps from version to version.
(() => {
  "use strict";
  const find = (what, inside = document) => inside.querySelector(what);
  const frame = () => document.getElementById("shown")?.contentWindow;
  const say = (what) => frame()?.postMessage(what, "*");
  // On a phone the row of views is wider than the screen.
  const view = find(".tabs [aria-current]"), row = view?.closest(".row2");
  if (row) row.scrollLeft = view.offsetLeft - (row.clientWidth - view.offsetWidth) / 2;
  const names = { new: ["+", "plus", "new"], gone: ["−", "minus", "gone"], moved: ["→", "", "moved"] };

  const count = (number) => (Number(number) || 0).toLocaleString("en");

  // --- the list and the page -------------------------------------------------------------------------
  const make = (tag, name, text) => {
    const one = document.createElement(tag);
    if (name) one.className = name;
    if (text !== undefined) one.textContent = text;
    return one;
  };

  const other = ([number, kind, runs], hollow) => {
    const [sign, filled, word] = names[kind] ?? ["~", "", "changed"];
    const link = make("a", "o");
    link.href = "#shown";
    link.dataset.change = number;
    const mark = make("span", `mk ${hollow ? "other" : filled}`);
    const shown = make("span", "", sign);
    shown.ariaHidden = "true";
    mark.append(shown, make("span", "number", number), make("span", "hidden", word));
    const words = make("p", "ctx");
    for (const [tag, text] of runs.slice(0, 40)) words.append(tag === "ins" || tag === "del" ? make(tag, "", text) : text);
    link.append(mark, words);
    return link;
  };

  const listed = (said) => {
    const [walk, box] = [find("[data-walk]"), find("[data-others]")];
    if (walk) walk.hidden = !said.total;
    const place = find("[data-here]"), all = Number(said.total) || 0;
    // Of a page that is too long, the changes further on are not shown; the page says how much is left out.
    if (place && !place.textContent) place.textContent = `${count(all)} change${all === 1 ? "" : "s"}${said.cut ? " shown" : ""}`;
    document.querySelectorAll("[data-object]").forEach((one) => {
      const number = said.objects?.[one.dataset.object] ?? 0;
      one.dataset.change = number;
      find("[data-number]", one).textContent = number || "";
    });
    const mine = document.querySelectorAll("[data-object]").length > 0;
    const rest = (said.others ?? []).slice(0, 100), many = rest.length + (Number(said.left) || 0);
    if (!box) return;
    box.hidden = !many;
    const words = `${count(many)} ${mine ? "more " : ""}change${many === 1 ? "" : "s"} on the page`;
    box.replaceChildren(make("summary", "", words), ...rest.map((one) => other(one, mine)));
    if (said.left) box.append(make("p", "soft", `… and ${count(said.left)} more`));
  };

  const here = (said) => {
    const place = find("[data-here]");
    if (place) place.textContent = `${count(said.number)} of ${count(said.total)}`;
    let first = null;
    document.querySelectorAll(".objs [data-change]").forEach((one) => {
      const is = Number(one.dataset.change) === said.number;
      one.toggleAttribute("aria-current", false);
      if (is) { one.setAttribute("aria-current", "true"); first ??= one; }
    });
    first?.scrollIntoView({ block: "nearest" });
  };

  window.addEventListener("message", (event) => {
    if (!frame() || event.source !== frame()) return;
    const said = event.data ?? {};
    if (said.wv === "changes") listed(said);
    if (said.wv === "here") here(said);
  });

  document.addEventListener("click", (event) => {
    const entry = event.target.closest(".objs [data-change]"), button = event.target.closest("button[data-key]");
    if (button) say({ wv: "key", key: button.dataset.key });
    if (!entry) return;
    event.preventDefault();
    if (Number(entry.dataset.change)) say({ wv: "go", number: Number(entry.dataset.change) });
  });

  document.addEventListener("keydown", (event) => {
    if (!frame() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=range]), textarea, select")) return;
    if (event.key === "e" && document.body.classList.contains("stage")) find("#chead [data-seen]")?.click();
    if (!"npjk".includes(event.key)) return;
    event.preventDefault();
    say({ wv: "key", key: event.key });
  });
  say({ wv: "tell" });

  // --- the time machine ------------------------------------------------------------------------------
  let wanted = 0, asking = null;

  const versions = () => [...document.querySelectorAll("[data-versions] a")].reverse();

  // Puts what another version shows into the place of what is shown. The track stays, so that it can be dragged on.
  const show = async (link) => {
    asking?.abort();
    asking = new AbortController();
    let answer;
    try {
      answer = await fetch(link.href, { signal: asking.signal, headers: { accept: "text/html" } });
    } catch (error) {
      if (error.name !== "AbortError") location.href = link.href;
      return;
    }
    if (!answer.ok) { location.href = link.href; return; }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!page.getElementById("work")) { location.href = link.href; return; }
    for (const name of ["chead", "work"]) document.getElementById(name).replaceWith(document.adoptNode(page.getElementById(name)));
    for (const what of ["svg", ".pad"]) find(`#machine .track ${what}`).replaceWith(document.adoptNode(find(`#machine .track ${what}`, page)));
    find("#machine .steps").replaceWith(document.adoptNode(find("#machine .steps", page)));
    find("#machine .lab").replaceWith(document.adoptNode(find("#machine .lab", page)));
    const slide = find("#machine input");
    slide.value = find("#machine input", page).value;
    document.title = page.title;
    history.replaceState(null, "", answer.url);
  };

  const choose = (link, slide) => {
    slide.value = link.dataset.place;
    slide.setAttribute("aria-valuetext", `version ${link.dataset.number}, ${find("time", link)?.textContent ?? ""}`);
    const shown = find("[data-shown]");
    if (shown) shown.textContent = slide.getAttribute("aria-valuetext");
    clearTimeout(wanted);
    wanted = setTimeout(() => show(link), 180);
  };

  const slide = find("#machine input");
  if (slide) {
    slide.hidden = false;
    slide.closest(".machine").classList.add("dragged");
    const near = (value) => versions().reduce((best, one) =>
      Math.abs(one.dataset.place - value) < Math.abs(best.dataset.place - value) ? one : best);
    let at = null;
    slide.addEventListener("input", () => { at = near(Number(slide.value)); choose(at, slide); });
    slide.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const all = versions(), now = all.findIndex((one) => one.getAttribute("aria-current"));
      const from = at && all.some((one) => one.href === at.href) ? all.findIndex((one) => one.href === at.href) : now;
      at = all[Math.min(Math.max(from + step, 0), all.length - 1)];
      if (at) choose(at, slide);
    });
  }

  // --- the chart -------------------------------------------------------------------------------------
  document.addEventListener("keydown", (event) => {
    const plot = event.target.closest?.("svg.plot"), step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!plot || !step) return;
    event.preventDefault();
    const all = [...plot.querySelectorAll(".at")], now = all.findIndex((one) => one.classList.contains("on"));
    all[now]?.classList.remove("on");
    all[now < 0 ? all.length - 1 : Math.min(Math.max(now + step, 0), all.length - 1)]?.classList.add("on");
  });
})();
