// On the page that is picked from: shows what a click would mean, and tells the extension which element was clicked.
// Nothing of the page is changed: the frame and the label stand in a closed tree of our own.
(() => {
  "use strict";
  if (globalThis.webvigilPicking) return globalThis.webvigilPicking();
  const MARK = "data-wv-at";
  const host = document.createElement("div"), root = host.attachShadow({ mode: "closed" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host { all: initial !important; }
    div { position: fixed; z-index: 2147483647; pointer-events: none; box-sizing: border-box; }
    .over { border: 3px solid #1a56db; border-radius: 2px; }
    .label { padding: 1px 8px; border-radius: 3px; color: #fff; background: #1a56db; font: 700 13px/20px system-ui, sans-serif; }
    .bar { left: 50%; top: 12px; transform: translateX(-50%); max-width: 92vw; padding: 8px 14px; border-radius: 8px; color: #fff;
      background: #0b6e69; font: 500 14px/20px system-ui, sans-serif; box-shadow: 0 6px 24px rgb(0 0 0 / .35); }
    .bar.bad { background: #ab211b; }
    [hidden] { display: none; }`);
  root.adoptedStyleSheets = [sheet];
  const [over, label, bar] = ["over", "label", "bar"].map((name) => {
    const made = document.createElement("div");
    made.className = name;
    made.hidden = name !== "bar";
    root.append(made);
    return made;
  });
  bar.setAttribute("role", "status");
  const say = (text, bad = false) => { bar.textContent = text; bar.classList.toggle("bad", bad); };
  document.documentElement.append(host);
  say("Reading the page …");

  // Each element of the page, by its number; the numbers travel in a copy of the page and not in the page itself.
  const elements = [], numbers = new WeakMap();
  function copied() {
    const copy = document.documentElement.cloneNode(true);
    const live = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
    const twin = document.createTreeWalker(copy, NodeFilter.SHOW_ELEMENT);
    for (let one = live.currentNode, same = twin.currentNode; one && same; one = live.nextNode(), same = twin.nextNode()) {
      numbers.set(one, elements.length);
      Element.prototype.setAttribute.call(same, MARK, String(elements.length));
      elements.push(one);
    }
    // What a program would run, and what somebody typed, is nobody's business.
    const drop = copy.querySelectorAll("script, noscript, template, input[type=password], input[type=hidden]");
    for (const one of drop) Element.prototype.remove.call(one);
    return "<!DOCTYPE html>" + copy.outerHTML;
  }
  const ask = (more) => chrome.runtime.sendMessage({ do: "pick", html, ...more });
  const html = copied();

  const stop = () => {
    ending.abort();
    picker?.end();
    host.remove();
    delete globalThis.webvigilPicking;
  };
  let picker = null, at = -1;
  const ending = new AbortController(), early = { capture: true, signal: ending.signal };
  const taken = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  globalThis.webvigilPicking = stop;
  // A page may act before the click comes.
  for (const what of ["pointerdown", "pointerup", "mousedown", "mouseup", "auxclick", "contextmenu"]) addEventListener(what, taken, early);
  // Tab goes from one thing to the next, without making anything of the page focusable that is not.
  const step = (way) => {
    const seen = picker.stops.filter((one) => Element.prototype.getClientRects.call(one).length > 0);
    if (seen.length === 0) return;
    at = (at + way + seen.length + (at < 0 && way < 0 ? 1 : 0)) % seen.length;
    Element.prototype.scrollIntoView.call(seen[at], { block: "nearest" });
    say(`${picker.over(seen[at])}: ${seen[at].textContent.trim().replace(/\s+/g, " ").slice(0, 80)}`);
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      taken(event);
      stop();
    } else if (picker && event.key === "Tab") {
      taken(event);
      step(event.shiftKey ? -1 : 1);
    } else if (picker && at >= 0 && (event.key === "Enter" || event.key === " ")) {
      taken(event);
      picker.take();
    }
  }, early);

  ask({}).then(({ content, trouble }) => {
    if (trouble !== undefined) return say(`${trouble} (Esc closes this)`, true);
    const kinds = new Map(Object.entries(content.kinds).map(([at, kind]) => [elements[Number(at)], kind]));
    say("Click on what you want to watch: a table, a list, a price, some words, a part of the page. Tab and Enter work, too; Esc ends it.");
    picker = globalThis.webvigilPicker({
      page: document,
      label,
      kindOf: (one) => kinds.get(one),
      stops: [...kinds.keys()].sort((one, other) => numbers.get(one) - numbers.get(other)),
      isNode: (one) => numbers.has(one),
      mark: (one) => {
        over.hidden = !one;
        if (!one) return;
        const box = Element.prototype.getBoundingClientRect.call(one);
        for (const side of ["left", "top", "width", "height"]) over.style.setProperty(side, box[side] + "px");
      },
      choose: async (one) => {
        say("Asking what this is …");
        const answer = await ask({ at: numbers.get(one) });
        if (answer.trouble !== undefined) say(`${answer.trouble} (Esc closes this)`, true);
        else stop();
      },
    });
    return undefined;
  }, (error) => say(`${error.message} (Esc closes this)`, true));
})();
