// The keys that step from change to change work wherever the reader is on this page.
document.addEventListener("keydown", (event) => {
  const frame = document.getElementById("shown");
  if (!frame || event.ctrlKey || event.metaKey || event.altKey || !"npjk".includes(event.key)) return;
  if (event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  frame.contentWindow.postMessage({ wv: "key", key: event.key }, "*");
});
