/* A page that is scrolled to its end, with the rows that its lists take away when they leave the view (virtual scrolling): they are kept
   meanwhile, and put back afterwards.

   A row is an element with text, no taller than what scrolls, among three children or more. It is known again by its node and its text, else
   by its text near its place. A row that is missing in view was removed by the page; one that is missing out of view was taken away.
   The world of our scripts, and what is kept in it, stays as long as the document. */
(dom, lazy) => {
  "use strict";

  const { findScroller, dwell, sleep, goTo } = lazy;
  const PARTS = /^(a|abbr|b|br|button|code|em|font|i|img|input|kbd|label|mark|option|s|script|small|span|strong|style|sub|sup|td|template|th|time|u|var|wbr)$/;
  const NEAR = 3; // row heights by which a row may be moved that is made anew
  const MOST_INNER = 5; // boxes that scroll by themselves
  const LEAST_INNER = 150; // CSS px of their height
  const LATE = 300; // ms for a page to change after it was scrolled, if it did before

  /* Keep the rows of lists in an element that scrolls. */
  const keepRows = (scroller) => {
    const lists = new Map(); // to rows in order: { node, text, x, y, height, clone }
    const used = new WeakSet(); // nodes of rows that were taken away, or show another row since
    let count = 0;
    let characters = 0;

    const release = (row) => {
      if (row.node) used.add(row.node);
      row.node = null;
    };

    /* Return what a list shows as rows, in visual order. */
    const findShown = (list, shift, page) => {
      const found = [];
      for (let node = dom.firstChild(list); node; node = dom.nextSibling(node)) {
        const text = dom.nodeType(node) !== 1 || PARTS.test(node.localName) ? "" : dom.text(node).trim();
        const { top, left: x, height } = text ? dom.rectOf(node) : { height: 0 };
        if (height && height <= page && getComputedStyle(node).position !== "fixed") found.push({ node, text, x, y: top + shift, height });
      }
      return found.sort((one, other) => one.y - other.y || one.x - other.x);
    };

    /* Compare the rows of a list with those that are known. */
    const compare = (list, [from, to], shift, drops) => {
      const rows = lists.get(list) ?? [];
      const byNode = new Map(rows.map((row) => [row.node, row]));
      const shown = new Set();
      const found = findShown(list, shift, to - from).map((place) => {
        const { node, text, y, height } = place;
        const before = byNode.get(node);
        let row = before?.text === text ? before : null;
        if (!row) {
          const distance = (other) => Math.abs(other.y - y);
          const same = rows.filter((other) => other.text === text && !shown.has(other) && distance(other) < NEAR * height);
          row = same.sort((one, other) => distance(one) - distance(other))[0] ?? null;
          if (before && Math.abs(before.y - y) >= height / 2) release(before); // it shows another row
        }
        if (!row) {
          row = { clone: node.cloneNode(true), text };
          count += 1;
          characters += text.length;
        }
        shown.add(Object.assign(row, place));
        return row;
      });
      const isInView = ({ y, height }) => y + height / 2 > from && y + height / 2 < to;
      const isDrawn = found.some(isInView);
      const nodes = new Set(found.map(({ node }) => node));
      const kept = rows.filter((row) => shown.has(row) || !((drops && isDrawn && isInView(row)) || nodes.has(row.node))); // or it was replaced
      for (const row of kept) if (!shown.has(row)) release(row);
      const known = new Set(kept);
      const place = kept.findIndex((row) => shown.has(row));
      let before = place < 0 ? kept.findLast((row) => row.y < (found[0]?.y ?? 0)) : kept[place - 1];
      const behind = Map.groupBy(found, (row) => (known.has(row) ? (before = row) : before)); // each known row, or what is new, behind which row
      const following = (row) => (behind.get(row) ?? []).filter((each) => !known.has(each));
      const ordered = [...following(undefined), ...kept.flatMap((row) => [row, ...following(row)])];
      if (ordered.length) lists.set(list, ordered);
    };

    /* Look at all lists; rows that are missing in view are forgotten if `drops`. */
    const look = (drops) => {
      const from = scroller.scrollTop;
      const shift = scroller === dom.scroller ? from : from - dom.rectOf(scroller).top;
      const thirds = Element.prototype.querySelectorAll.call(scroller, ":nth-child(3)");
      for (const list of new Set([...lists.keys(), ...[...thirds].map((third) => third.parentElement)])) {
        if (list.isConnected) compare(list, [from, from + (scroller.clientHeight || innerHeight)], shift, drops);
      }
    };

    const isPart = (list) => {
      for (let at = list; at; at = at.parentElement) if (used.has(at)) return true;
      return false;
    };

    /* Put back what was taken away, in order. */
    const putBack = () => {
      look(false);
      for (const [list, rows] of lists) {
        if (!list.isConnected || rows.every((row) => row.node) || isPart(list)) continue;
        let next = rows.find((row) => row.node)?.node ?? dom.firstChild(list);
        for (const { node, clone } of rows) {
          const added = node ?? clone;
          if (added === next) next = dom.nextSibling(added);
          else Node.prototype.insertBefore.call(list, added, next);
        }
      }
    };

    const clear = () => {
      for (const rows of lists.values()) for (const { clone } of rows) clone.remove();
    };
    const kept = { look, putBack, clear, count: () => count, characters: () => characters };
    globalThis.keptRows.push(kept);
    return kept;
  };

  /* Return what is scrolled to the end of its content, the page itself first. */
  const findScrollers = () => {
    const isList = (at) => at.clientHeight >= LEAST_INNER && at.scrollHeight > 1.1 * at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY);
    const inner = [...dom.selectAll(document, "body *")].filter((at) => at.scrollHeight > at.clientHeight && isList(at) && dom.isShown(at));
    return [...new Set([findScroller(), ...inner.slice(0, MOST_INNER)].filter(Boolean))];
  };

  /* Scroll down to where no more comes, also in boxes that scroll by themselves, and back to the top. Returns the bound that ended it, if one
     did. */
  return async ({ steps, cap, pause, timeout, rows, characters }) => {
    for (const kept of globalThis.keptRows ?? []) kept.clear();
    globalThis.keptRows = [];
    const started = performance.now();
    let taken = 0;
    let bound = "";
    for (const scroller of findScrollers()) {
      if (scroller !== dom.scroller) Element.prototype.scrollIntoView.call(scroller, { block: "center", behavior: "instant" });
      const kept = keepRows(scroller);
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
      kept.look(true);
      const own = { count: kept.count(), characters: kept.characters() };
      for (let top = page; ; top = scroller.scrollTop + page) {
        if (taken >= steps) bound = `${steps} steps of scrolling`;
        if (performance.now() - started > cap) bound = `${Math.round(cap / 1000)} s of scrolling`;
        if (kept.count() - own.count > rows || kept.characters() - own.characters > characters) bound = `${rows} rows or ${characters} characters of lists`;
        if (bound) break;
        const height = scroller.scrollHeight;
        await go(Math.min(top, height - page));
        if (changed) kept.look(true);
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
}
