/* Rows that a list takes away when they leave the view (virtual scrolling): they are kept while the page is scrolled, and put back at its end.

   A row is an element with text, no taller than what scrolls, among three children or more. It is known again by its node and its text, else
   by its text near its place. A row that is missing in view was removed by the page; one that is missing out of view was taken away. */
(dom) => {
  "use strict";

  const PARTS = /^(a|abbr|b|br|button|code|em|font|i|img|input|kbd|label|mark|option|s|script|small|span|strong|style|sub|sup|td|template|th|time|u|var|wbr)$/;
  const NEAR = 3; // row heights by which a row may be moved that is made anew

  /* Return what keeps the rows of lists in an element that scrolls. */
  return (scroller) => {
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
    const look = (drops = true) => {
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
    return { look, putBack, clear, count: () => count, characters: () => characters };
  };
}
