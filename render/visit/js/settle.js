/* Wait until a page that has loaded stays as it is: its amount of text and its size, not every change. A clock that ticks and slides that
   take turns stay within what was seen of them already; what is filled in goes beyond. Resolves to one JSON string. */
async (options, make) => {
  "use strict";

  const { idle, start, hold, quiet, fonts, promise, cap } = options;
  const dom = make.dom();
  const { selectAll, rectOf, isShown, bodyOf, nodeType } = dom;
  const SHORT = 1000; // characters: a page with less is looked at twice
  const TOLERANCE = [8, 40]; // characters: a fiftieth of the text, within these
  const SCRIPTS = 'script:not([type*="json" i], [type*="template" i]), [onload]';
  const SILENT = "script, style, noscript, template, textarea";
  const BUSY = '[aria-busy="true"], [role="progressbar"], [class*="skeleton" i], [class*="spinner" i], [class*="shimmer" i], [class*="loader" i], [class*="loading" i], [id*="loading" i]';
  const BONES = '[class*="skeleton" i], [class*="shimmer" i], [aria-busy="true"]';
  const EMPTY = ":is(#root, #app, #__next, #__nuxt, #___gatsby, #main, #content, #react-root, app-root, [ng-app], [data-reactroot]):empty";
  const LOADING =
    /^[^\p{L}]*(loading|please wait|one moment|wird geladen|bitte warten|laden|chargement|veuillez patienter|cargando|espere|caricamento|carregando|ładowanie|загрузка|yükleniyor|読み込み|加载中|載入中|로딩|جار)/iu;

  const sleep = (time) => new Promise((done) => setTimeout(done, time));
  const now = () => performance.now();
  const started = now();

  /* Return the document, its open shadow roots and the documents of its frames that may be read. */
  const findRoots = () => {
    const roots = [document];
    for (const root of roots) {
      for (const element of selectAll(root, "*")) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
        else if (/^i?frame$/.test(element.localName)) {
          try {
            if (element.contentDocument) roots.push(element.contentDocument);
          } catch {
            continue; // of another origin
          }
        }
      }
    }
    return roots;
  };

  const topsOf = (root) => (nodeType(root) === 9 ? [bodyOf(root)] : [...root.children]).filter(Boolean);
  const inkOf = (text) => text.replace(/\s+/g, " ").trim().length;

  /* Return how many characters of text there are: exactly those that are shown where they are few, else roughly. */
  const countText = (roots) => {
    let count = 0;
    for (const root of roots) {
      for (const top of topsOf(root)) count += (top.textContent ?? "").length;
      for (const silent of selectAll(root, SILENT)) count -= silent.textContent.length;
    }
    return count < SHORT ? inkOf(roots.map((root) => topsOf(root).map((top) => top.innerText ?? "").join(" ")).join(" ")) : count;
  };

  const shows = (element) => isShown(element, { opacityProperty: true, visibilityProperty: true }) && rectOf(element).height > 0;

  /* Whether the page says that more is to come. */
  const isUnfinished = () => {
    if (text === 0) return true;
    if (text < SHORT) {
      if (selectAll(document, EMPTY).length > 0 || (text < SHORT / 10 && LOADING.test(bodyOf(document).innerText ?? ""))) return true;
      return [...selectAll(document, BUSY)].some(shows);
    }
    let area = 0;
    for (const bone of selectAll(document, BONES)) {
      if (!shows(bone)) continue;
      const { width, top, bottom } = rectOf(bone);
      area += width * Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    }
    return area > (innerWidth * innerHeight) / 10;
  };

  const seen = { text: [Infinity, -Infinity], height: [Infinity, -Infinity] };
  let text = 0;

  /* Note how much there is now; return whether that is more or less than ever before. */
  const look = () => {
    const roots = findRoots();
    text = countText(roots);
    for (const root of roots) observer?.observe(root, { childList: true, characterData: true, subtree: true });
    const tolerance = Math.min(Math.max(text / 50, TOLERANCE[0]), TOLERANCE[1]);
    const size = { text: [text, text < TOLERANCE[0] ? 0 : tolerance], height: [dom.scroller.scrollHeight, innerHeight / 20] };
    let moved = false;
    for (const [name, [value, slack]] of Object.entries(size)) {
      const [least, most] = seen[name];
      moved ||= value > most + slack || value < least - slack;
      seen[name] = [Math.min(least, value), Math.max(most, value)];
    }
    return moved;
  };

  if (document.fonts.status === "loading") await Promise.race([document.fonts.ready, sleep(fonts)]);
  let observer = null;
  let changed = false;
  let moved = false;
  const isScripted = selectAll(document, SCRIPTS).length > 0;
  if (isScripted) {
    observer = new MutationObserver(() => (changed = true));
    look();
    await new Promise((done) => requestIdleCallback(done, { timeout: idle }));
    await sleep(start);
    moved = changed && look();
    changed = false;
    let until = moved ? cap : Math.max(hold, isUnfinished() ? promise : text < SHORT ? quiet : 0);
    while (now() - started < until) {
      await sleep(quiet);
      moved = (changed || dom.scroller.scrollHeight > seen.height[1]) && look();
      changed = false;
      if (moved) until = cap;
      else if (now() - started >= hold && !(now() - started < promise && isUnfinished())) break;
    }
    observer.disconnect();
  }
  return JSON.stringify({ moved, waits: isScripted && make.lazy(dom).waits() });
}
