/* What a person sees of text that is laid out and in place: its size, its colour and what is painted behind it, by the computed styles; what
   hides it by colour, and what styles cannot decide (pictures, blend modes, what is painted over it), is left to pixels (see look.js).
   And whether a person can open what is hidden: by a control, a link, the pointer, or as one of several that take turns. */
(dom, view) => {
  "use strict";

  const { attribute, rectOf, select, selectAll, matches, documentElement } = dom;
  const LEAST_OPACITY = 0.1;
  const LEAST_CONTRAST = 1.2; // WCAG 2; pale greys that designs use on white begin at 1.25
  const LEAST_FONT = 4; // CSS px
  const LEAST_AREA = 6; // square CSS px of a character: of a transform, where the font's size does not show it
  const LONG = 20; // characters of a text for which pixels are looked at
  const MOST_COVERS = 100;
  const MOST_RULES = 1000; // that show something at the pointer
  const DEEPEST = 200; // levels of elements up to which controls are looked for
  const SIDES = ["width", "height"];

  // Colours.

  const known = new Map();
  const parse = (value) => {
    if (!known.has(value)) known.set(value, /^rgba?\(/.test(value) ? read(value) : draw(value));
    return known.get(value);
  };
  const read = (value) => {
    const [red, green, blue, alpha = 1] = value.match(/[\d.e-]+/g).map(Number);
    return [red, green, blue, alpha];
  };
  /* Return a colour of another notation, as a canvas shows it. */
  const draw = (value) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.fillStyle = value;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const blend = ([red, green, blue, alpha], under) => [red, green, blue].map((part, i) => alpha * part + (1 - alpha) * under[i]);
  const linear = (part) => (part <= 10.3 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((first, second) => first - second);
    return (high + 0.05) / (low + 0.05);
  };

  // What is painted behind the text of a scope.

  const isDark = /dark/.test(getComputedStyle(documentElement(document)).colorScheme) && matchMedia("(prefers-color-scheme: dark)").matches;
  /* `own`: the ground is painted by an element of the page; `isPicture`: by a picture, or with it; `stops`: the colours of a gradient; `isMixed`: pixels are not those of the text's
     colour and the ground's. */
  const canvas = { opacity: 1, ground: isDark ? [18, 18, 18] : [255, 255, 255], own: null, stops: [], isPicture: false, isThere: true, isMixed: false, isCut: false };
  const isOffline = !navigator.onLine;
  const came = (url) => performance.getEntriesByName(url).some(({ responseStatus }) => responseStatus >= 200 && responseStatus < 400);
  const isUnstyled =
    isOffline && [...selectAll(document, 'link[rel~="stylesheet" i][href]')].some((link) => link.media !== "print" && !came(link.href));
  /* Scripts that did not run may have shown what is hidden. */
  const isScripted = matchMedia("(scripting: enabled)").matches;
  const isUnscripted =
    (!isScripted && selectAll(document, 'script:not([type*="json" i])').length > 0) ||
    (isOffline && selectAll(document, "script[src]").length > 0);
  const mayBePartial = isUnstyled || isUnscripted;

  /* Whether any style may blend, mask, filter or clip: reading these of each element takes as long as all the rest. */
  const EFFECTS = /blend-mode|mask|filter|clip-path/i;
  let hasEffects =
    [...document.styleSheets].some(({ ownerNode }) => ownerNode?.localName !== "style" && (!isOffline || came(ownerNode?.href))) ||
    document.adoptedStyleSheets.length > 0 ||
    [...selectAll(document, "style")].some(({ textContent }) => EFFECTS.test(textContent)) ||
    select(documentElement(document), ':is([style*="blend-mode" i], [style*="mask" i], [style*="filter" i], [style*="clip-path" i])') !== null;
  const expectEffects = () => {
    hasEffects = true;
  };

  const paint = (style, up, element) => {
    const own = style.backgroundColor;
    const opacity = style.opacity === "1" ? up.opacity : up.opacity * Number(style.opacity);
    const picture = style.backgroundImage;
    const isMixed =
      up.isMixed || (hasEffects && (style.mixBlendMode !== "normal" || style.maskImage !== "none" || (style.filter !== "none" && !/^(drop-shadow|grayscale)/.test(style.filter))));
    const isCut = up.isCut || (hasEffects && view.NOTHING_LEFT.test(style.clipPath));
    if (own === "rgba(0, 0, 0, 0)" && picture === "none" && opacity === up.opacity && isMixed === up.isMixed && isCut === up.isCut) return up;
    const colour = parse(own);
    const isOpaque = colour[3] > 0.99;
    const isPicture = picture === "none" ? up.isPicture && !isOpaque : style.backgroundClip !== "text";
    const isThere = picture === "none" ? up.isThere : mayShow(picture);
    const under = blend(colour, up.ground);
    const isGradient = picture !== "none" && !picture.includes("url(");
    const stops = isGradient ? [...picture.matchAll(/rgba?\([^)]*\)/g)].map(([stop]) => blend(parse(stop), under)) : picture === "none" && isPicture ? up.stops : [];
    return { opacity, ground: under, stops, own: isOpaque ? element : up.own, isPicture, isThere, isMixed, isCut };
  };

  /* Whether a background picture is there; offline only one that the page itself holds. */
  const mayShow = (picture) => !isOffline || /gradient|url\("data:/.test(picture);

  const paintOf = (scope) => {
    const pending = [];
    let at = scope;
    for (; at !== null && at.paint === undefined; at = at.parent) pending.push(at);
    let paints = at === null ? canvas : at.paint;
    while (pending.length > 0) {
      const { tag, element, style, view } = (at = pending.pop());
      if (tag === "body") paints = paint(getComputedStyle(documentElement(view.root)), paints, element);
      at.paint = paints = style.display === "contents" ? paints : paint(style, paints, element);
    }
    return paints;
  };

  /* Return how styles hide the text of a scope, and "?" where they cannot tell. */
  const reasonOf = (scope, style = scope.style) => {
    const { opacity, ground, stops, own, isPicture, isThere, isMixed, isCut } = style === scope.style ? paintOf(scope) : paint(style, paintOf(scope), scope.element);
    if (isCut) return "clip";
    if (opacity < LEAST_OPACITY) return "opacity";
    if (parseFloat(style.fontSize) * scope.view.scale < LEAST_FONT) return "font";
    const fill = parse(style.webkitTextFillColor);
    if (fill[3] * opacity >= LEAST_OPACITY && (isPicture || contrast(blend(fill, ground), ground) >= LEAST_CONTRAST)) {
      const isClear = stops.length > 0 && stops.every((stop) => contrast(blend(fill, stop), stop) >= LEAST_CONTRAST);
      return (isPicture && isThere && !isClear) || isMixed ? "?" : "";
    }
    if (fill[3] < 1 && isClipped(scope)) return "";
    if (style.textShadow !== "none" || parseFloat(style.webkitTextStrokeWidth) > 0) return isShaded(style, ground, isPicture) ? "" : "contrast";
    if (fill[3] * opacity >= LEAST_OPACITY && isUnstyled && (own === null || !/background/.test(attribute(own, "style") ?? ""))) return "";
    return "contrast";
  };

  /* Whether a background is painted in the shape of the text. */
  const isClipped = (scope) => {
    for (let at = scope; at !== null; at = at.parent) {
      if (at.style.backgroundClip === "text") return at.style.backgroundImage !== "none" || parse(at.style.backgroundColor)[3] > 0;
      if (at.flow !== "inline" && at !== scope) return false;
    }
    return false;
  };

  /* Whether the shadow or the outline of the text is seen. */
  const isShaded = (style, ground, isPicture) => {
    if (isPicture) return true;
    const shades = [...style.textShadow.matchAll(/rgba?\([^)]*\)/g)].map(([colour]) => colour);
    if (parseFloat(style.webkitTextStrokeWidth) > 0) shades.push(style.webkitTextStrokeColor);
    return shades.some((shade) => contrast(blend(parse(shade), ground), ground) >= LEAST_CONTRAST);
  };

  const hide = (scope, rect, data, hidden) => {
    const reason = (scope.sight ??= reasonOf(scope));
    if (reason === "contrast" && missing.some(surrounds(rect))) return hidden;
    if (hidden !== "" || (reason !== "" && reason !== "?")) return reason === "" || reason === "?" ? hidden : reason;
    const area = (rect.right - rect.left) * (rect.bottom - rect.top);
    const isTiny = area < LEAST_AREA * data.length && area < LEAST_AREA * data.replace(/\s+/g, " ").trim().length;
    return isTiny ? "font" : reason;
  };

  /* Whether nobody sees an image that is there, or that is to be as small as a dot. One that fades in when it has come is not there yet. */
  const isImageHidden = (element, style) => {
    const isThere = element.complete && element.naturalWidth > 0;
    if (style.visibility !== "visible") return dom.isSeen(element.parentElement);
    if (isThere && Number(style.opacity) < LEAST_OPACITY) return true;
    const sides = isThere ? [element.width, element.height] : SIDES.map((side) => parseFloat(attribute(element, side) ?? "2"));
    return sides.some((side) => side <= 1);
  };

  /* Pictures that never came offline: text over them may be white. Their boxes are those of what they are placed in, and a picture comes
     before its text. */
  const missing = [];
  const noteMissing = (element, where) => {
    if (!isOffline || element.naturalWidth > 0 || missing.length >= MOST_COVERS) return;
    missing.push(view.move(rectOf(element.offsetParent ?? element), where));
  };
  const surrounds = (rect) => (box) => box.left <= rect.left + 1 && box.right >= rect.right - 1 && box.top <= rect.top + 1 && box.bottom >= rect.bottom - 1;

  // What lies over text.

  const covers = [];
  /* Note a positioned element that may be painted over text: not one that is pinned to the screen, which goes away when the page is scrolled. */
  const noteCover = (scope) => {
    const { style, element, tag } = scope;
    if (!/absolute|relative/.test(style.position) || covers.length >= MOST_COVERS || view.isPinned(scope)) return;
    const paint = paintOf(scope);
    if (paint.opacity < 0.9 || style.visibility !== "visible") return;
    const isOpaque = parse(style.backgroundColor)[3] > 0.9 || (style.backgroundImage !== "none" && mayShow(style.backgroundImage));
    if (isOpaque || (/^(video|canvas|iframe|img)$/.test(tag) && !isOffline)) covers.push({ scope, element, box: view.boxOf(scope) });
  };
  const isCovered = ({ group, rect, z }) =>
    rect !== null &&
    covers.some(({ scope, element, box }) => {
      return view.geometryOf(scope).z >= z && surrounds(rect)(box) && !element.contains(group.scope.element);
    });

  // Whether a person can open what is hidden.

  const CONTROL = 'button, summary, label, input, select, [role="button" i], [role="tab" i], [aria-expanded], [onclick], [tabindex], a:not([href]), a[href^="#"], a[href^="javascript:" i]';
  const OPENED = /^(tabpanel|menu|menubar|dialog|alertdialog|tooltip|listbox|tree|alert|status)$/i;
  const REVEALED = /(^|[-_ ])(aos|w-id|wow|sal|reveal|fade|anim|animated?|scroll|inview|in-view|lazy|elementor-invisible|appear)([-_ ]|$)/i;
  const TURNS = /(^|[-_ ])(slides?|slick|swiper|carousel|tab|tabs|panel|pane|item|step|page|accordion)/i;
  const NAMING = "[aria-controls], [aria-owns], [aria-describedby], [data-target], [data-bs-target], [popovertarget], [commandfor], label[for], a[href*='#']";
  let named = null;
  let pointed = null;

  /* Return the ids that controls and links of the page name. */
  const findNamed = () => {
    const ids = new Set();
    for (const element of selectAll(document, NAMING)) {
      for (const name of ["aria-controls", "aria-owns", "aria-describedby", "data-target", "data-bs-target", "popovertarget", "commandfor", "for"]) {
        for (const id of (attribute(element, name) ?? "").split(/\s+/)) if (id !== "") ids.add(id.replace(/^#/, ""));
      }
      const href = attribute(element, "href") ?? "";
      if (href.includes("#")) ids.add(href.slice(href.indexOf("#") + 1));
    }
    ids.delete("");
    return ids;
  };

  /* Return the selectors of rules that show something where the pointer, the focus, a box or a link is. */
  const findPointed = () => {
    const found = [];
    const readRules = (rules) => {
      for (const rule of rules) {
        if (rule.selectorText === undefined) {
          if (rule.cssRules !== undefined) readRules(rule.cssRules);
        } else if (/:(hover|focus|focus-within|focus-visible|active|checked|target)\b/.test(rule.selectorText) && SHOWING.test(rule.style.cssText)) {
          found.push(rule.selectorText.replace(/:(hover|focus-within|focus-visible|focus|active|checked|target)\b/g, ":is(*)"));
        }
      }
    };
    for (const sheet of document.styleSheets) {
      try {
        readRules(sheet.cssRules);
      } catch {
        continue; // of another origin
      }
    }
    return found;
  };
  const SHOWING = /(^|; )(display|visibility|opacity|color|-webkit-text-fill-color|background(-color)?|clip(-path)?|left|right|top|bottom|inset|position|width|(max-)?height|transform|translate|scale|text-indent|font-size|overflow|z-index):/;
  /* In `:is` those are skipped that browsers name alone. */
  const isPointedAt = (element) => matches(element, (pointed ??= `:is(${findPointed().slice(0, MOST_RULES).join(", ")})`));

  const isControl = (element) => {
    if (!dom.isSeen(element)) return false;
    return matches(element, CONTROL) || select(element, CONTROL) !== null || getComputedStyle(element).cursor === "pointer";
  };

  const kin = new Map();
  /* Return of the children of an element that are shown the first two of each tag and first class. */
  const kinOf = (parent) => {
    if (kin.has(parent)) return kin.get(parent);
    const found = new Map();
    for (const child of dom.childrenOf(parent)) {
      const name = `${child.localName} ${(attribute(child, "class") ?? "").trim().split(/\s+/, 1)[0]}`;
      const alike = found.get(name) ?? [];
      if (alike.length < 2 && dom.isSeen(child) && rectOf(child).height > 0) found.set(name, [...alike, child]);
    }
    kin.set(parent, found);
    return found;
  };

  const isTwin = (element, reason) => {
    const own = attribute(element, "class") ?? "";
    const role = attribute(element, "role") ?? "";
    if ((own === "" && role === "") || element.parentElement === null) return false;
    const first = own.trim().split(/\s+/, 1)[0];
    const twin = kinOf(element.parentElement).get(`${element.localName} ${first}`)?.find((other) => other !== element);
    if (twin === undefined) return false;
    if (reason === "display" || TURNS.test(own)) return true;
    const [one, other] = [rectOf(element), rectOf(twin)]; // beside it, or in its place
    return Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5 * Math.min(one.height, other.height);
  };

  /* Whether the element itself is what a control opens, or what comes by scrolling. */
  const isOpened = (element, reason, scope) => {
    const id = attribute(element, "id");
    named ??= findNamed();
    if (id && named.has(id)) return true;
    if (element.localName === "dialog" || (element.localName === "details" && !element.open) || attribute(element, "popover") !== null) return true;
    if (OPENED.test(attribute(element, "role") ?? "") || matches(element, '[hidden="until-found" i], [inert]')) return true;
    if (element.localName === "a" && /^#./.test(attribute(element, "href") ?? "")) return true; // a skip link
    const before = element.previousElementSibling;
    if (before !== null && isControl(before)) return true;
    if (matches(element, "li :is(ul, ol, div), nav *, menu *")) return true;
    if (reason === "opacity" && !isScripted && isRevealed(element, scope)) return true;
    return isPointedAt(element) || isTwin(element, reason);
  };

  const isRevealed = (element, scope) => {
    if (REVEALED.test(`${attribute(element, "class")} ${Element.prototype.getAttributeNames.call(element).join(" ")}`)) return true;
    const { transform, transitionProperty, transitionDuration, animationName } = scope.style;
    return transform !== "none" || animationName !== "none" || (/all|opacity/.test(transitionProperty) && parseFloat(transitionDuration) > 0);
  };

  /* Whether text can be scrolled to, or goes on below a clip that shows what is before it. */
  const goesOn = ({ group, rect }) => {
    for (let at = group.scope; rect !== null && at.parent !== null; at = at.parent) {
      const { style, element, flow } = at;
      if (flow === "inline" || style.overflowX === "visible") continue;
      const { clientHeight, clientWidth, scrollHeight, scrollWidth } = element;
      if (clientHeight < 16 || clientWidth < 16 || (scrollHeight <= clientHeight && scrollWidth <= clientWidth)) continue;
      if (/auto|scroll/.test(style.overflow)) return true;
      const box = view.boxOf(at);
      const isBelow = rect.top >= box.top && rect.left < box.right && rect.right > box.left;
      const first = element.firstElementChild;
      if (isBelow && (rect.top < box.bottom - 8 || (first !== null && !first.contains(group.scope.element) && rectOf(first).height > 0))) return true;
    }
    return false;
  };

  const opens = (scope, reason) => {
    if (scope === null || scope.tag === "body" || scope.depth > DEEPEST) return false;
    scope.opens ??= isOpened(scope.element, reason, scope) || opens(scope.parent, reason);
    return scope.opens;
  };

  /* Return whether a person can open text that is hidden. */
  const isReachable = ({ group, scope, hidden, rect }) => {
    if (mayBePartial && /display|visibility/.test(hidden)) return true;
    if (hidden === "font") return false;
    if (hidden === "contrast") return isPointedAt(scope.element);
    if (/clip|offscreen|size/.test(hidden) && goesOn({ group, rect })) return true;
    return opens(scope, hidden);
  };

  /* Return why a run of text is to be looked at again: how it is hidden if it is not seen then, and whether by pixels or by scrolling to it;
     null if it is not. Short texts are labels. */
  const uncertainty = ({ hidden, group, scope, rect, z, text }) => {
    if (rect === null || scope.view.root !== document || (text.value.length < LONG && hidden !== "contrast")) return null;
    if (hidden === "opacity") return isScripted ? { hidden, needsPixels: false } : null;
    if (hidden === "?" || hidden === "contrast") return { hidden: "contrast", needsPixels: true };
    if (hidden !== "" || !(z < 0 || isCovered({ group, rect, z })) || opens(scope, "covered")) return null;
    return { hidden: "covered", needsPixels: true };
  };

  return { expectEffects, hide, isImageHidden, noteMissing, reasonOf, noteCover, isReachable, uncertainty, contrast, LEAST_CONTRAST };
}
