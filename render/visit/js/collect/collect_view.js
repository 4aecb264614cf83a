/* Where things stand, in CSS px of the top document, and how they are kept from view. */
(dom) => {
  "use strict";

  const { scroller, bodyOf, isShown, isSeen, rectOf } = dom;
  const NOTHING_LEFT = /^(inset\((5\d|[6-9]\d|1\d\d)(\.\d+)?%|circle\(0(px|%)|polygon\(0px 0px, 0px 0px)/;

  const opensLeft = (element) => {
    const { direction, writingMode } = getComputedStyle(element);
    return writingMode === "horizontal-tb" ? direction === "rtl" : /rl$/.test(writingMode);
  };
  const size = { width: scroller.scrollWidth, height: scroller.scrollHeight };
  const left = opensLeft(scroller) || opensLeft(bodyOf(document)) ? scroller.clientWidth - size.width : 0;
  /* A document that cannot be scrolled, but for margins. What is below its fold all the same is shown once what covers it is gone. */
  const isLocked = size.height <= 1.05 * innerHeight;
  const extent = { left, top: 0, right: left + size.width, bottom: isLocked ? Infinity : size.height };
  const screen = { left: scrollX, top: scrollY, right: scrollX + innerWidth, bottom: scrollY + innerHeight };
  const unlocked = { ...screen, bottom: Infinity };
  const nowhere = { left: 0, top: 0, right: 0, bottom: 0 };

  /* A view is a document, where its viewport is on the page, by how much it is scaled there, and how its frame is kept from view. */
  const openView = (root, { x, y, scale, veil }) => ({ root, x, y, scale, veil, range: Document.prototype.createRange.call(root) });

  const move = (rect, { x, y, scale }) => ({
    left: rect.left * scale + x, top: rect.top * scale + y, right: rect.right * scale + x, bottom: rect.bottom * scale + y,
  });
  const boxOf = (scope) => move(rectOf(scope.element), scope.view);
  const join = (one, other) => ({
    left: Math.min(one.left, other.left), top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right), bottom: Math.max(one.bottom, other.bottom),
  });
  const meet = (one, other) => ({
    left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom),
  });
  const areApart = (one, other) =>
    one.right <= other.left || one.left >= other.right || one.bottom <= other.top || one.top >= other.bottom;
  const hasArea = (rect) => rect.right > rect.left && rect.bottom > rect.top;
  const isNear = (one, other) => Math.abs(one - other) <= 0.1 * innerHeight;
  const isScreen = ({ left, top, right, bottom }) =>
    isLocked && left <= 0 && right >= 0.9 * innerWidth && isNear(top, 0) && isNear(bottom, innerHeight);
  const isThin = (rect) => rect.right - rect.left <= 1 || rect.bottom - rect.top <= 1;
  const round = (value) => Math.round(value * 100) / 100;
  const asBox = ({ left: x, top: y, right, bottom }) => [round(x), round(y), round(Math.max(right - x, 0)), round(Math.max(bottom - y, 0))];

  /* Return "" where no style veils the scope, "display" where it is not laid out at all. */
  const veilOf = (scope) => {
    let at = scope;
    while (at.style.display === "contents" && at.parent !== null) at = at.parent;
    if (at.veil === undefined) at.veil = findVeil(at);
    return at.veil;
  };

  const findVeil = ({ element, style, view, flow }) => {
    if (flow !== "inline" && style.contentVisibility === "hidden") return "display";
    if (isSeen(element) || style.display === "contents") return view.veil;
    if (!isShown(element)) return "display";
    return style.visibility === "visible" ? "opacity" : "visibility";
  };

  const geometryOf = (scope) => {
    const pending = [];
    let at = scope;
    for (; at.geometry === null; at = at.parent) pending.push(at);
    while (pending.length > 0) {
      at = pending.pop();
      at.geometry = findGeometry(at, at.parent.geometry);
    }
    return at.geometry;
  };

  /* Return the z-index, what clips the element's content and its absolutely positioned descendants, and where anything can be seen. */
  const findGeometry = (scope, up) => {
    const { style, flow, view, tag } = scope;
    const z = style.zIndex === "auto" ? up.z : Number(style.zIndex);
    if (flow === "inline") return z === up.z ? up : { ...up, z };
    const { position, overflowX } = style;
    if (z === up.z && overflowX === "visible" && position === "static") return up;
    let { clip, absolute, bounds } = up;
    if (position === "absolute") clip = absolute;
    if (position === "fixed" && view.root === document) [clip, bounds] = [extent, isScreen(boxOf(scope)) ? unlocked : screen];
    if (isClippedAway(style, position)) clip = nowhere;
    if (overflowX !== "visible" && tag !== "body") {
      const rect = boxOf(scope);
      const scrolls = tag === "iframe" || tag === "frame" || !/hidden|clip/.test(style.overflow);
      if (isThin(rect) || !scrolls) clip = meet(clip, isScreen(rect) ? { ...rect, bottom: Infinity } : rect);
      else if (bounds === screen && !areApart(rect, screen) && isScrolled(scope.element, style)) bounds = unlocked;
    }
    if (position !== "static") absolute = clip;
    return { z, clip, absolute, bounds };
  };

  /* A fixed column or panel that is scrolled by itself shows all of its text. */
  const isScrolled = ({ scrollHeight, clientHeight }, { overflowY }) => /auto|scroll/.test(overflowY) && scrollHeight > clientHeight;

  const isClippedAway = (style, position) => {
    if (position !== "absolute" && position !== "fixed") return false;
    if (NOTHING_LEFT.test(style.clipPath)) return true;
    const edges = style.clip.match(/-?[\d.]+(?=px)/g);
    return edges !== null && edges.length === 4 && (edges[1] - edges[3] <= 1 || edges[2] - edges[0] <= 1);
  };

  const concealment = (veil, { clip, bounds }, rect) => {
    if (veil !== "") return veil;
    if (areApart(rect, bounds)) return "offscreen";
    if (areApart(rect, clip)) return "clip";
    return isThin(rect) || isThin(clip) ? "size" : "";
  };

  const isPinned = ({ geometry }) => geometry !== null && (geometry.bounds === screen || geometry.bounds === unlocked);

  const top = { x: scrollX, y: scrollY, scale: 1, veil: "" };
  const everywhere = { z: 0, clip: extent, absolute: extent, bounds: extent };
  return { size, top, everywhere, openView, move, boxOf, join, hasArea, isThin, asBox, veilOf, geometryOf, concealment, isPinned, NOTHING_LEFT };
}
