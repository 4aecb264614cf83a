/* The table of images: the source that a reader would see, where scripts that load it late have not run too. */
(dom, view, texts, unsized) => {
  "use strict";

  const { attribute, rectOf } = dom;
  const LAZY = ["data-src", "data-lazy-src", "data-original", "data-srcset", "data-lazy-srcset", "srcset"];
  const LATE = /^(?![:@]|v-|ng-|x-|.*fallback).*(?:src|srcset|-original|-lazy|-lazyload|-orig-file)$/i;
  const WHOLE = /^(?!data:|blob:|about:)(?=[^./]*[./])[^\s{}]+$/i; // an address, not a template
  const PLACEHOLDER =
    /^(?!https?:|file:)|(?<![a-z])(blank|spacer|placeholder|transparent|pixel|1x1|gr[ea]y|loading|dummy)(?![a-z])[^/]*\.\w{3,4}\b/i;
  const EMPTY = new Set(["blank", "spacer", "placeholder", "transparent", "pixel", "1x1", "loading", "dummy"]);
  const FILLING =
    /^(?:gr[ea]y|white|lazy|load|image|img|default|thumb|photo|empty|horizontal|vertical|square|woocommerce|[\dx]+|[\da-f]{16,})$/;
  const LONGEST = 2000; // characters of an address
  const [GAP, ADDRESS, SIZE] = [/[\s,]*/y, /\S+/y, /\s+([\d.]{1,20})([wx])/y]; // of a set: in linear time for any content
  const SCREEN = 1600; // CSS px: the width asked for where the image has none yet
  const SIDES = ["width", "height"];
  const ICON = 50; // CSS px: so wide a box is that of a placeholder, or of a picture that is not there

  /* Return the addresses of a `srcset` with their widths or densities, in order (HTML, 4.8.4.3.10, for what is found in practice). */
  const candidates = (set) => {
    const found = [];
    for (let at = 0; ; ) {
      GAP.lastIndex = at;
      GAP.test(set);
      ADDRESS.lastIndex = GAP.lastIndex;
      const address = ADDRESS.exec(set)?.[0];
      if (address === undefined) return found;
      let end = address.length;
      while (address[end - 1] === ",") end -= 1;
      at = SIZE.lastIndex = ADDRESS.lastIndex;
      const [, number, unit] = (end === address.length && SIZE.exec(set)) || [];
      found.push({ url: address.slice(0, end), number: Number(number ?? 1), unit: unit ?? "x" });
      if (end === address.length) at = set.indexOf(",", at) + 1 || set.length;
    }
  };

  /* Return the candidate that fits the width at one device px a CSS px: the narrowest that fills it, else the widest. */
  const best = (set, width) => {
    const all = candidates(set);
    const fits = (candidate) => (candidate.unit === "w" ? candidate.number >= width : candidate.number >= 1);
    return [...all].sort((one, other) => one.number - other.number).find(fits)?.url ?? all.at(-1)?.url ?? "";
  };

  /* Return the source that an attribute of an unknown name holds. */
  const strangeSource = (element, width) => {
    for (const name of Element.prototype.getAttributeNames.call(element)) {
      if (name === "src" || !LATE.test(name)) continue;
      const value = (attribute(element, name) ?? "").slice(0, LONGEST);
      const source = name.endsWith("srcset") ? best(value, width) : value.trim();
      const url = WHOLE.test(source) ? URL.parse(source, element.baseURI)?.href : "";
      if (url && !PLACEHOLDER.test(url)) return source;
    }
    return "";
  };

  /* Return what scripts would load: a lazy attribute of the image, else of the sources of its picture. */
  const lateSource = (element, width) => {
    const picture = element.parentElement?.localName === "picture" ? [...element.parentElement.children] : [];
    for (const holder of [element, ...picture]) {
      for (const name of LAZY) {
        const value = attribute(holder, name);
        if (value) return name.endsWith("srcset") ? best(value, width) : value.trim();
      }
    }
    return strangeSource(element, width);
  };

  /* Return whether the file is a placeholder by its name alone. */
  const showsNothing = (source) => {
    const name = source.toLowerCase().split(/[?#]/, 1)[0].split("/").at(-1);
    const words = name.slice(0, Math.max(name.lastIndexOf("."), 0)).split(/[-_.]+/).filter(Boolean);
    return words.some((word) => EMPTY.has(word)) && words.every((word) => EMPTY.has(word) || FILLING.test(word));
  };

  const sourceOf = (element, width) => {
    const set = unsized.has(element) ? attribute(element, "srcset") : null;
    const source = set ? (URL.parse(best(set, width), element.baseURI)?.href ?? "") : element.currentSrc || element.src;
    const late = PLACEHOLDER.test(source.slice(0, LONGEST)) && lateSource(element, width > ICON ? width : SCREEN);
    const own = showsNothing(source.slice(0, LONGEST)) ? "" : source;
    const found = late ? (URL.parse(late, element.baseURI)?.href ?? "") : own;
    return /^(https?|file):/.test(found) && found.length <= LONGEST ? texts.clean(found) : "";
  };

  /* Return whether the image is not there, and its box that of its description instead, or of a mark: where the page gives it no width and
     height. An icon by its attributes stays one. */
  const isUnmeasured = (element) => {
    if (!element.complete || element.naturalWidth !== 0) return false;
    const style = element.computedStyleMap(); // unlike `getComputedStyle` it tells "auto" from px
    const isGiven = SIDES.every((side) => style.get(side)?.toString() !== "auto");
    return !isGiven && SIDES.every((side) => (parseFloat(attribute(element, side) ?? "") || ICON) >= ICON);
  };

  /* Return source, description and box, null if it is not the image's; null if the image has neither of the first two. */
  return (element, tag, where) => {
    const rect = rectOf(element);
    const alt = texts.clean(attribute(element, tag === "svg" ? "aria-label" : "alt") ?? "");
    const source = tag === "svg" ? "" : sourceOf(element, rect.width * where.scale);
    return source === "" && alt.trim() === "" ? null : [source, alt, isUnmeasured(element) ? null : view.asBox(view.move(rect, where))];
  };
}
