// What the server is working on, as a line at the bottom of every view: shown after a moment, with its seconds, then with what it did.

const MOMENT = 300; // ms
const DONE_SHOWN = 8000; // ms
const works = new Set();
let lastDone = 0;

/** Show `text` until the promise is settled, then what `done` returns of its result; nothing if that is empty. */
async function working(text, promise, done = () => "") {
  const work = { text, since: performance.now() };
  works.add(work);
  setTimeout(paintWorking, MOMENT);
  let message = "";
  try {
    const result = await promise;
    message = done(result);
    return result;
  } finally {
    works.delete(work);
    if (message) announce(message);
    else paintWorking();
  }
}

/** Show for some seconds what was done. */
function announce(message) {
  lastDone = performance.now();
  $("done").textContent = message;
  setTimeout(paintWorking, DONE_SHOWN);
  paintWorking();
}

function paintWorking() {
  const now = performance.now();
  const oldest = [...works].find(({ since }) => now - since >= MOMENT);
  document.body.toggleAttribute("data-working", works.size > 0);
  $("doing").textContent = oldest ? oldest.text : "";
  $("seconds").textContent = oldest ? `${((now - oldest.since) / 1000).toFixed(0)} s` : "";
  if (now - lastDone >= DONE_SHOWN) $("done").textContent = "";
  $("working").hidden = !oldest && !$("done").textContent;
  clearTimeout(paintWorking.next);
  if (oldest) paintWorking.next = setTimeout(paintWorking, 1000);
}
