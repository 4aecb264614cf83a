/* Wait until an element of a selector, or a text, is shown. Resolves to `true`, to `false` when the time is over, or to `null` if the selector
   is none. */
async (options, make) => {
  "use strict";

  const { selector, text, time } = options;
  const dom = make.dom();
  const fold = (found) => found.replace(/\s+/g, " ").trim().toLowerCase();
  const wanted = fold(text);
  const isMet = () =>
    dom.findRoots().some((root) => {
      if (selector) return [...dom.selectAll(root, selector)].some(dom.isSeen);
      return dom.topsOf(root).some((top) => fold(top.innerText ?? "").includes(wanted));
    });

  const started = performance.now();
  try {
    while (!isMet()) {
      if (performance.now() - started > time) return "false";
      await new Promise((done) => setTimeout(done, 50));
    }
  } catch (error) {
    if (error instanceof DOMException) return "null";
    throw error;
  }
  return "true";
}
