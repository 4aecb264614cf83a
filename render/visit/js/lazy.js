/* What a page holds back until a reader scrolls to it: whether there are signs of that below the fold, and a walk down the page.
   The signs are few and cheap to look for, because most pages hold nothing back that a reader of text would miss. Images are no sign: their
   sources stand in the markup (see collect_image.js). */
(dom) => {
  "use strict";

  const { selectAll, rectOf, isShown, isSeen } = dom;
  const words = (...names) => names.map((name) => `[class*="${name}" i]`).join();
  const BONES = `[aria-busy="true"], astro-island[client="visible"][ssr], ${words("skeleton", "shimmer", "placeholder", "lazy-section", "lazy-load-section")}`;
  const VEILED = `[data-aos], [data-sal], [data-scroll], [data-animate], [data-animation], .wow, .reveal, .elementor-invisible, ${words("scroll-reveal", "animate-on-scroll", "fade-in", "fadein")}`;
  const EMPTY = ":is(div, section, article, li, ul, ol, main, table):empty";
  const NO_TEXT = /(^|[-_ ])(form|ads?|advert\w*|adslot|banner|sponsor\w*|dfp|gpt|taboola|outbrain|promo)([-_ \d]|$)/i;
  const FIELDS = /^(input|textarea|select|button|img|iframe|video|svg)$/; // theirs are other placeholders
  const LEAST = { width: 200, height: 150 }; // CSS px of a box that something is to be put into
  const MOST_INNER = 5; // boxes that scroll by themselves
  const LATE = 300; // ms for a page to change after it was scrolled, if it did before
  const SLACK = 1.1; // viewports: what is no taller is all on view

  /* Return what scrolls: the document, or the box in its middle of an application whose document stays. */
  const findScroller = () => {
    const { scroller } = dom;
    if (scroller.scrollHeight > SLACK * innerHeight) return scroller;
    let at = Document.prototype.elementFromPoint.call(document, innerWidth / 2, innerHeight / 2);
    for (; at; at = at.parentElement) {
      if (at.clientHeight > innerHeight / 2 && at.scrollHeight > SLACK * at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
    }
    return null;
  };

  const isBelow = (element) => rectOf(element).top > innerHeight;
  const isEmpty = (element) =>
    !FIELDS.test(element.localName) &&
    rectOf(element).height > 0 &&
    element.textContent.trim() === "" &&
    dom.select(element, "img, video, picture, iframe, svg, canvas, input") === null;

  /* Whether something below the fold waits for a reader. */
  const waits = () => {
    if (findScroller() === null) return false;
    for (const bone of selectAll(document, BONES)) if (isBelow(bone) && isShown(bone) && isEmpty(bone)) return true;
    for (const veiled of selectAll(document, VEILED)) {
      if (!isBelow(veiled) || veiled.textContent.trim() === "") continue;
      if (isShown(veiled) && !isSeen(veiled)) return true;
    }
    for (const empty of selectAll(document, EMPTY)) {
      const { top, width, height } = rectOf(empty);
      if (top <= innerHeight || width < LEAST.width || height < LEAST.height) continue;
      const names = `${dom.attribute(empty, "id") ?? ""} ${dom.attribute(empty, "class") ?? ""} ${dom.attribute(empty.parentElement, "class") ?? ""}`;
      if (!NO_TEXT.test(names) && getComputedStyle(empty).backgroundImage === "none") return true;
    }
    return false;
  };

  const sleep = (time) => new Promise((done) => setTimeout(done, time));
  const frame = () => Promise.race([new Promise((done) => requestAnimationFrame(done)), sleep(100)]);
  const dwell = async (pause) => {
    await frame(); // in which observers of intersections are called
    await frame();
    await new Promise((done) => requestIdleCallback(done, { timeout: pause }));
  };

  const goTo = (scroller, top) => scroller.scrollTo({ top, behavior: "instant" });

  /* Scroll down viewport by viewport, to the height that there was; then back to the top. */
  const step = async ({ steps, cap, pause }) => {
    const scroller = findScroller();
    if (scroller === null) return;
    const started = performance.now();
    const page = scroller.clientHeight || innerHeight;
    const original = scroller.scrollHeight;
    for (let top = page, taken = 0; taken < steps && performance.now() - started < cap; top += page, taken += 1) {
      goTo(scroller, Math.min(top, original - page));
      await dwell(pause);
      if (top >= original - page) break;
    }
    goTo(scroller, 0);
    await dwell(pause);
  };

  /* Return what is scrolled to the end of its content, the page itself first. */
  const findScrollers = () => {
    const isList = (at) => at.clientHeight >= LEAST.height && at.scrollHeight > SLACK * at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY);
    const inner = [...selectAll(document, "body *")].filter((at) => at.scrollHeight > at.clientHeight && isList(at) && isShown(at));
    return [...new Set([findScroller(), ...inner.slice(0, MOST_INNER)].filter(Boolean))];
  };

  /* Scroll down to where no more comes, also in boxes that scroll by themselves, and keep the rows that are taken away meanwhile (rows.js);
     then back to the top. Returns the bound that ended it, if one did. */
  const stepToEnd = async ({ steps, cap, pause, timeout, rows, characters }, keep) => {
    const started = performance.now();
    let taken = 0;
    let bound = "";
    for (const scroller of findScrollers()) {
      if (scroller !== dom.scroller) Element.prototype.scrollIntoView.call(scroller, { block: "center", behavior: "instant" });
      const kept = keep(scroller);
      let changed = false;
      let isLively = true; // whether the page changes as it is scrolled
      const observer = new MutationObserver(() => (changed = true));
      observer.observe(scroller, { childList: true, characterData: true, subtree: true });
      const go = async (top) => {
        changed = false;
        goTo(scroller, top);
        const since = performance.now();
        do await dwell(pause);
        while (isLively && !changed && performance.now() - since < LATE);
        isLively = changed;
      };
      const page = scroller.clientHeight || innerHeight;
      kept.look();
      const own = { count: kept.count(), characters: kept.characters() };
      for (let top = page; ; top = scroller.scrollTop + page) {
        if (taken >= steps) bound = `${steps} steps of scrolling`;
        if (performance.now() - started > cap) bound = `${Math.round(cap / 1000)} s of scrolling`;
        if (kept.count() - own.count > rows || kept.characters() - own.characters > characters) bound = `${rows} rows or ${characters} characters of lists`;
        if (bound) break;
        const height = scroller.scrollHeight;
        await go(Math.min(top, height - page));
        if (changed) kept.look();
        taken += 1;
        if (top < height - page) continue;
        const grows = async () => {
          const since = performance.now();
          while (scroller.scrollHeight <= height && performance.now() - since < timeout) await sleep(50);
          return scroller.scrollHeight > height;
        };
        if (await grows()) continue;
        goTo(scroller, height - 2 * page); // as a reader would, in case the page did not notice
        await dwell(pause);
        goTo(scroller, height - page);
        if (!(await grows())) break;
      }
      observer.disconnect();
      await go(0);
    }
    goTo(dom.scroller, 0);
    await dwell(pause);
    return bound;
  };

  return { waits, step, stepToEnd };
}
