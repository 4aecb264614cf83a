/* Wait until a page that has loaded stays as it is: its amount of text and its size, not every change. A clock that ticks and slides that
   take turns stay within what was seen of them already; what is filled in goes beyond. A page with little text, or one that looks unfinished,
   is waited for until what it has scheduled has run. Resolves to one JSON string. */
async (options, make) => {
  "use strict";

  const { idle, start, hold, quiet, fonts, promise, scheduled, cap, probe } = options;
  const dom = make.dom();
  const { selectAll, findRoots, rectOf, isSeen, bodyOf, topsOf } = dom;
  const SHORT = 1000; // characters: a page with less is looked at twice
  const BARE = 200; // characters: a page with less is waited for while it repeats something, as one that looks unfinished is
  const HOLLOW = 20; // characters: a main element with less is empty
  const LABEL = 60; // characters: an indicator of progress has no more
  const TOLERANCE = [8, 40]; // characters: a fiftieth of the text, within these
  const SCRIPTS = 'script:not([type*="json" i], [type*="template" i]), [onload]';
  const SILENT = "script, style, noscript, template, textarea";
  const BUSY = '[aria-busy="true"], [role="progressbar"], [class*="skeleton" i], [class*="spinner" i], [class*="shimmer" i], [class*="loader" i], [class*="loading" i], [id*="loading" i]';
  const BONES = '[class*="skeleton" i], [class*="shimmer" i], [aria-busy="true"]';
  const EMPTY = ":is(#root, #app, #__next, #__nuxt, #___gatsby, #main, #content, #react-root, app-root, [ng-app], [data-reactroot]):empty";
  const MAIN = 'main, [role="main"]';
  const SHOWN_MEDIA = "img, picture, video, canvas, iframe, svg, input, textarea, select, audio, embed, object";
  const HELD = "img, video, iframe, a, button, input, textarea, select"; // in no indicator of progress
  const LOADING =
    /^[^\p{L}]*(loading|please wait|one moment|wird geladen|bitte warten|laden|chargement|veuillez patienter|cargando|espere|caricamento|carregando|ładowanie|загрузка|yükleniyor|読み込み|加载中|載入中|로딩|جار)/iu;

  const sleep = (time) => new Promise((done) => setTimeout(done, time));
  const now = () => performance.now();
  const started = now();

  const inkOf = (text) => text.replace(/\s+/g, " ").trim().length;

  /* Return how many characters of text there are: exactly those that are shown where they are few, or where the page is no taller than the
     viewport, as one that has its text but does not show it yet; else roughly. */
  const countText = (roots) => {
    let count = 0;
    for (const root of roots) {
      for (const top of topsOf(root)) count += (top.textContent ?? "").length;
      for (const silent of selectAll(root, SILENT)) count -= silent.textContent.length;
    }
    const isFew = count < SHORT || dom.scroller.scrollHeight <= innerHeight;
    return isFew ? inkOf(roots.map((root) => topsOf(root).map((top) => top.innerText ?? "").join(" ")).join(" ")) : count;
  };

  const shows = (element) => isSeen(element) && rectOf(element).height > 0;

  const textOf = (element) => (dom.select(element, SILENT) && element.innerText) || dom.text(element);

  /* Whether an element with such a name only shows that something is under way; a picture that is loaded late has the name, too. */
  const isIndicator = (element) => !dom.matches(element, SHOWN_MEDIA) && inkOf(dom.text(element)) <= LABEL && !dom.select(element, HELD) && shows(element);

  const hasEmptyMain = () => {
    const mains = [...selectAll(document, MAIN)];
    return mains.length > 0 && mains.every((main) => !main.shadowRoot && !dom.select(main, SHOWN_MEDIA) && inkOf(textOf(main)) < HOLLOW);
  };

  /* Return the sign that more is to come; empty if there is none. */
  const findSign = () => {
    if (text === 0) return "empty";
    if (text < SHORT) {
      if (selectAll(document, EMPTY).length > 0) return "root";
      if (text < SHORT / 10 && LOADING.test(bodyOf(document).innerText ?? "")) return "message";
      if ([...selectAll(document, BUSY)].some(isIndicator)) return "indicator";
    }
    if (hasEmptyMain()) return "main";
    let area = 0;
    for (const bone of selectAll(document, BONES)) {
      if (!shows(bone)) continue;
      const { width, top, bottom } = rectOf(bone);
      area += width * Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    }
    return area > (innerWidth * innerHeight) / 10 ? "placeholders" : "";
  };

  /* Return what the page has scheduled (see timers.js). */
  const readSchedule = () => {
    let found = '{"due": [], "idle": false, "repeats": false}';
    const take = (event) => (found = event.detail);
    EventTarget.prototype.addEventListener.call(document, `${probe}-reply`, take);
    EventTarget.prototype.dispatchEvent.call(document, new CustomEvent(probe));
    EventTarget.prototype.removeEventListener.call(document, `${probe}-reply`, take);
    const { due, idle, repeats } = JSON.parse(found);
    const soon = due.filter((time) => now() - started + time < scheduled);
    return { last: Math.max(-1, ...soon), idle, repeats };
  };

  /* Take animations that end soon to their ends: text that fades in, and what a page does when they have ended. */
  const finishAnimations = () => {
    for (const animation of Document.prototype.getAnimations.call(document)) {
      const end = animation.effect?.getComputedTiming().endTime;
      if (animation.playState !== "running" || typeof animation.currentTime !== "number" || !(end - animation.currentTime < scheduled)) continue;
      animation.finish();
    }
  };

  /* Return until when, in ms from the start, the page is waited for even if it stays as it is. */
  const findEnd = () => {
    sign = findSign();
    if (text >= SHORT && !sign) return 0;
    const { last, idle, repeats } = readSchedule();
    const isRepeating = repeats && (text < BARE || sign !== "");
    const awaits = last >= 0 || idle || isRepeating;
    let end = text < SHORT ? quiet : 0;
    if (sign && sign !== "main") end = awaits ? scheduled : promise;
    if (last >= 0) end = Math.max(end, now() - started + last + quiet);
    if (idle) end = Math.max(end, now() - started + quiet);
    if (isRepeating) end = Math.max(end, scheduled);
    return Math.min(end, scheduled + quiet);
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
  let sign = "";
  const isScripted = selectAll(document, SCRIPTS).length > 0;
  if (isScripted) {
    observer = new MutationObserver(() => (changed = true));
    look();
    finishAnimations();
    await new Promise((done) => requestIdleCallback(done, { timeout: idle }));
    await sleep(start);
    moved = changed && look();
    changed = false;
    const latest = Math.max(cap, hold);
    let until = moved ? latest : Math.max(hold, findEnd());
    while (now() - started < until) {
      await sleep(Math.min(quiet, until - (now() - started)));
      finishAnimations();
      moved = (changed || dom.scroller.scrollHeight > seen.height[1]) && look();
      changed = false;
      until = moved ? latest : Math.min(latest, Math.max(hold, findEnd()));
    }
    observer.disconnect();
  }
  if (moved) sign = findSign();
  return JSON.stringify({ moved, sign, isIncomplete: text < SHORT || sign !== "", waits: isScripted && make.lazy(dom).waits() });
}
