/* A second look at texts of which styles do not decide whether a person sees them: after scrolling to them, and by what the ink of a text
   changes in the pixels of its box. Runs when all has been collected, and leaves the page scrolled. */
(dom, view, still, sight, uncertain) => {
  "use strict";

  const { attribute } = dom;
  const LEAST_SHARE = 0.002; // of the pixels of a text's box that its ink changes
  const INK = ["-webkit-text-fill-color", "text-shadow", "-webkit-text-stroke-color", "text-decoration-color"];
  const range = Document.prototype.createRange.call(document);
  const shown = [];
  const unseen = [];
  let near = []; // those of the picture that is taken
  let faded = []; // elements, and the style attributes that they had

  const frame = () => Promise.race([new Promise((done) => requestAnimationFrame(done)), new Promise((done) => setTimeout(done, 100))]);
  const opacityOf = (element) => (element === null ? 1 : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement));
  let left = uncertain.map((each) => ({ ...each, opacity: each.needsPixels ? 0 : opacityOf(each.element) }));
  const rectOfText = ({ node }) => {
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const onScreen = ({ left, top, right, bottom }) => ({
    left: Math.max(left, 0), top: Math.max(top, 0), right: Math.max(Math.min(right, innerWidth), 1), bottom: Math.max(Math.min(bottom, innerHeight), 1),
  });

  /* Return what is at the middle of a text: "text", "layer" if something that is pinned to the screen lies over it, or "other". */
  const hit = (element, { left, top, right, bottom }) => {
    let at = Document.prototype.elementFromPoint.call(document, (left + right) / 2, (top + bottom) / 2);
    if (at !== null && (at.contains(element) || element.contains(at))) return "text";
    while (at !== null && !at.contains(element) && !/fixed|sticky/.test(getComputedStyle(at).position)) at = at.parentElement;
    return at !== null && !at.contains(element) ? "layer" : "other";
  };

  /* Scroll to the next text; return the part of the page of which a picture is needed, for it and for others near. */
  const next = async () => {
    left[0].element.scrollIntoView({ block: "center", behavior: "instant" });
    await frame();
    await frame();
    still(document);
    let around = null;
    near = [];
    left = left.filter((each, place) => {
      const rect = rectOfText(each);
      if (place > 0 && (rect.top < 0 || rect.bottom > innerHeight)) return true;
      if (!each.needsPixels) {
        (opacityOf(each.element) > each.opacity ? shown : unseen).push(each.row); // it begins to fade in
        return false;
      }
      const found = hit(each.element, rect);
      if (found === "layer") return false;
      if (found === "other" && place > 0) return true;
      const box = onScreen(rect);
      around = around === null ? box : view.join(around, box);
      near.push({ ...each, box });
      return false;
    });
    const clip = around && { x: around.left + scrollX, y: around.top + scrollY, width: Math.max(around.right - around.left, 1), height: Math.max(around.bottom - around.top, 1), scale: 1 };
    return JSON.stringify([left.length, clip]);
  };

  /* Take the ink of the texts away; elements inside keep theirs. */
  const fade = () => {
    const parts = near.flatMap(({ element }) => [...dom.childrenOf(element)].map((child) => [child, INK.map((name) => [name, getComputedStyle(child).getPropertyValue(name)])]));
    const all = [...parts, ...near.map(({ element }) => [element, INK.map((name) => [name, name === "text-shadow" ? "none" : "transparent"])])];
    faded = all.map(([element]) => [element, attribute(element, "style")]);
    for (const [element, values] of all) for (const [name, value] of [["transition", "none"], ...values]) element.style?.setProperty(name, value, "important");
    return "";
  };

  const pixelsOf = async (picture) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0))]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0);
    return context;
  };

  /* Note the texts whose ink changes the pixels of their boxes, from a picture with it and one without; give the ink back. */
  const compare = async ({ x, y }, inked, inkless) => {
    for (const [element, style] of faded) {
      if (style === null) element.removeAttribute("style");
      else element.setAttribute("style", style);
    }
    const pictures = [await pixelsOf(inked), await pixelsOf(inkless)];
    for (const { row, box } of near) {
      const size = [Math.max(Math.round(box.right - box.left), 1), Math.max(Math.round(box.bottom - box.top), 1)];
      const [one, other] = pictures.map((picture) => picture.getImageData(Math.round(box.left + scrollX - x), Math.round(box.top + scrollY - y), ...size).data);
      let changed = 0;
      for (let at = 0; at < one.length; at += 4) {
        if (one[at] === other[at] && one[at + 1] === other[at + 1] && one[at + 2] === other[at + 2]) continue;
        changed += sight.contrast([one[at], one[at + 1], one[at + 2]], [other[at], other[at + 1], other[at + 2]]) >= sight.LEAST_CONTRAST;
      }
      (changed >= LEAST_SHARE * (one.length / 4) ? shown : unseen).push(row);
    }
    return "";
  };

  const end = () => JSON.stringify([shown, unseen]);
  return { next, fade, compare, end };
}
