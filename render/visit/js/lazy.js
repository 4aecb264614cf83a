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

  return { waits, step, findScroller, dwell, sleep, goTo };
}
