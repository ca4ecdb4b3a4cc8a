// In the background: keeps the number of unread changes on the button, and carries what was picked to the popup.
import { ask, NO_SERVER, settings, Trouble, UNKNOWN_TOKEN } from "./server.js";

const ALARM = "unread";
const LARGEST = 8_000_000;

const shown = (count, more) => (count === 0 ? "" : count > 99 || more ? "99+" : String(count));

async function badge(text, title, bad = false) {
  await chrome.action.setBadgeText({ text });
  await chrome.action.setBadgeBackgroundColor({ color: bad ? "#ab211b" : "#0b6e69" });
  await chrome.action.setBadgeTextColor?.({ color: "#ffffff" });
  await chrome.action.setTitle({ title });
}

// Asks for the number alone, with the tag of the last answer: while nothing is new, the server sends no body.
export async function count() {
  const { tag, told } = await chrome.storage.session.get(["tag", "told"]);
  try {
    const { content, tag: now } = await ask("/unread", { query: { newest: 0 }, known: told ? tag : undefined });
    const { count: unread, more } = content ?? told;
    await chrome.storage.session.set({ tag: now, told: { count: unread, more } });
    await badge(shown(unread, more), unread ? `WebVigil: ${more ? "more than " : ""}${unread} unread` : "WebVigil: nothing unread");
  } catch (error) {
    await chrome.storage.session.remove(["tag", "told"]);
    if (error.kind === NO_SERVER) await badge("", "WebVigil: not set up yet");
    else await badge(error.kind === UNKNOWN_TOKEN ? "!" : "?", `WebVigil: ${error.message}`, true);
  }
}

async function schedule() {
  const { every, server } = await settings();
  await chrome.alarms.clear(ALARM);
  if (server) await chrome.alarms.create(ALARM, { periodInMinutes: Math.min(1440, Math.max(1, Number(every) || 5)) });
}

const begin = () => schedule().then(count);
chrome.runtime.onInstalled.addListener(begin);
chrome.runtime.onStartup.addListener(begin);
chrome.alarms.onAlarm.addListener((alarm) => { if (alarm.name === ALARM) count(); });
chrome.storage.onChanged.addListener((changed, area) => {
  if (area === "local" && (changed.server || changed.token || changed.every)) begin();
});

async function picked(page, tab) {
  const { content } = await ask("/pick", { body: page });
  if (page.at === undefined) return content;
  const { id, url, title } = tab;
  await chrome.storage.session.set({ picked: { tab: id, url: page.url ?? url, title, ...content } });
  try {
    await chrome.action.openPopup({ windowId: tab.windowId });
  } catch {
    await chrome.tabs.create({ url: chrome.runtime.getURL(`popup.html?tab=${id}`), index: tab.index + 1, openerTabId: id });
  }
  return {};
}

// Only our own pages and the picker that we put into a page may ask; a web page cannot.
chrome.runtime.onMessage.addListener((message, sender, answer) => {
  if (sender.id !== chrome.runtime.id) return false;
  const work = {
    count: () => count(),
    pick: () => {
      if (!sender.tab) throw new Trouble("other", "There is no page to pick on.");
      if (message.html.length > LARGEST) throw new Trouble("large", "This page is too large to pick on. Choose from what is on it instead.");
      const { html, at } = message;
      return picked({ url: sender.url, html, ...(Number.isSafeInteger(at) ? { at } : {}) }, sender.tab);
    },
  }[message?.do];
  if (!work) return false;
  Promise.resolve().then(work).then((content) => answer({ content }), (error) => answer({ trouble: error.message }));
  return true;
});
