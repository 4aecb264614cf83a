/* The text of one run as the page shows it: white space folded as its style says, with the ranges that links and emphasis mark.
   Nothing here touches the document. Offsets count UTF-16 units until `finish`, and Unicode code points from there on. */
() => {
  "use strict";

  const INK = /[^\s\u00ad\u200b-\u200f\u202a-\u202e\u2060]/;
  const WIDE = "[\\u2e80-\\u312f\\u3190-\\ua4cf\\uf900-\\ufaff\\ufe30-\\ufe4f\\uff00-\\uff60\\uffe0-\\uffe6]";
  const WIDE_BREAK = new RegExp(`(?<=${WIDE})[ \\t]*\\n[ \\t\\n]*(?=${WIDE})`, "g"); // no space between Chinese lines (CSS Text 3, 4.1.3)

  const WORD = "[\\p{L}\\p{N}]";
  const LAST_WORD = new RegExp(`(?!${WIDE})${WORD}$`, "u");
  const FIRST_WORD = new RegExp(`^(?!${WIDE})${WORD}`, "u");

  const BIDI = /[\u202a-\u202e\u2066-\u2069]/g;
  const INVISIBLE = "\u2060";

  /* Signs that show nothing: tags (U+E0000 and on) but in a flag, selectors of variants (U+E0100 and on) but after an ideograph, and four or
     more of no width in a row; a word may hold one or two of these. */
  const UNSEEN = /(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[\u{e0020}-\u{e007f}]|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]|([\u{e0000}-\u{e01ef}]+|[\u200b-\u200f\u2060-\u2064\ufeff]{4,})/gu;
  const MAY_BE_UNSEEN = /\udb40|[\u200b-\u200f\u2060-\u2064\ufeff]{4}/;

  /* Return the text without them, and what they spell in ASCII. The rule of render/text/words.py. */
  const unveil = (data) => {
    if (!MAY_BE_UNSEEN.test(data)) return { data, secret: "" };
    let signs = "";
    const seen = data.replace(UNSEEN, (sign, unseen) => {
      signs += unseen ?? "";
      return unseen === undefined ? sign : "";
    });
    return { data: seen, secret: spell(signs) };
  };

  const spell = (signs) => {
    const codes = Array.from(signs, (sign) => sign.codePointAt(0));
    const bytes = codes.filter((code) => code >= 0xe0020).map((code) => (code < 0xe0080 ? code - 0xe0000 : code - 0xe0100 + 16));
    const bits = codes.filter((code) => code === 0x200b || code === 0x200c).map((code) => code - 0x200b).join("");
    for (let at = 0; at + 8 <= bits.length; at += 8) bytes.push(parseInt(bits.slice(at, at + 8), 2));
    return bytes.filter((byte) => byte >= 32 && byte < 127).map((byte) => String.fromCharCode(byte)).join("").trim();
  };

  /* The rule of render/text/words.py: each lone surrogate and NUL is U+FFFD, each bidirectional control without a partner a word joiner. */
  const clean = (text) => formed(unveil(text).data);

  const formed = (text) => {
    const well = (text.isWellFormed() ? text : text.toWellFormed()).replaceAll("\0", "\ufffd");
    return well.search(BIDI) < 0 ? well : paired(well);
  };

  const paired = (text) => {
    const isIsolate = (place) => text[place] >= "\u2066" && text[place] <= "\u2068";
    const opened = [];
    const lone = new Set();
    for (const { 0: sign, index } of text.matchAll(BIDI)) {
      if (sign === "\u202c") {
        if (opened.length > 0 && !isIsolate(opened.at(-1))) opened.pop();
        else lone.add(index);
      } else if (sign === "\u2069") {
        const start = opened.findLastIndex(isIsolate);
        if (start < 0) lone.add(index);
        else opened.splice(start).slice(1).forEach((place) => lone.add(place));
      } else opened.push(index);
    }
    opened.forEach((place) => lone.add(place));
    return lone.size === 0 ? text : Array.from({ length: text.length }, (_, place) => (lone.has(place) ? INVISIBLE : text[place])).join("");
  };

  const fold = (text) => clean(text.replace(/\s+/g, " ").trim());
  const hasInk = (text) => INK.test(text);

  /* `spaced`: it ends in white space or is empty; `due`: a space is before the next character; `preserved`: some white space stays. */
  const open = () => ({ value: "", due: false, spaced: true, preserved: false, ranges: [] });

  /* A link or emphasis of the walk, and its range in the text that last took characters inside it. */
  const openMark = (kind, target, up) => ({ kind, target, up, text: null, range: null });

  const collapse = (data, folding) => {
    if (folding === "preserve-breaks") return data.replace(/[ \t\r\f]+/g, " ").replace(/ ?\n ?/g, "\n");
    return (data.includes("\n") ? data.replace(WIDE_BREAK, "") : data).replace(/[ \t\n\r\f]+/g, " ");
  };

  /* Add the characters of a text node; `folding` is its `white-space-collapse`, `mark` the innermost open mark around it. */
  const add = (text, data, folding, mark) => {
    let added = data;
    if (folding === "collapse" || folding === "preserve-breaks") {
      added = collapse(data, folding);
      const leading = added.startsWith(" ");
      const trailing = added.endsWith(" ");
      added = added.slice(leading ? 1 : 0, trailing && added.length > 1 ? -1 : undefined);
      text.due ||= leading;
      if (added === "") return;
      if (text.due && !text.spaced) text.value += " ";
      text.due = trailing;
    } else {
      if (text.due && !text.spaced) text.value += " ";
      text.due = false;
      text.preserved = true;
    }
    const start = text.value.length;
    text.value += added;
    text.spaced = /\s$/.test(added);
    for (let at = mark; at; at = at.up) {
      if (at.text !== text) {
        at.text = text;
        at.range = [start, 0, at.kind, at.target];
        text.ranges.push(at.range);
      }
      at.range[1] = text.value.length;
    }
  };

  /* Whether a text that is added continues the last word of the run. */
  const isGlued = (text, data) => !text.due && FIRST_WORD.test(data) && LAST_WORD.test(text.value.slice(-2));

  const breakLine = (text) => {
    text.value += "\n";
    text.due = false;
    text.spaced = true;
  };

  /* Return the text without white space at its ends (preserved text keeps its indent), its ranges, and the length of its links. */
  const finish = ({ value, preserved, ranges }) => {
    const lead = value.match(preserved ? /^(\s*\n)?/ : /^\s*/)[0].length;
    const text = formed(value.slice(lead).trimEnd());
    const points = ranges.length > 0 && /[\ud800-\udfff]/.test(text) ? codePoints(text) : null;
    const place = (offset) => {
      const at = Math.min(Math.max(offset - lead, 0), text.length);
      return points === null ? at : points[at];
    };
    const inlines = [];
    let linked = 0;
    let linkEnd = 0;
    for (const [from, to, kind, target] of ranges) {
      const start = place(from);
      const end = place(to);
      if (start >= end) continue;
      inlines.push(target === "" ? [start, end, kind] : [start, end, kind, target]);
      if (kind === "link" && end > linkEnd) {
        linked += end - Math.max(start, linkEnd);
        linkEnd = end;
      }
    }
    return { text, inlines, linked };
  };

  /* Return the number of code points before each UTF-16 offset. */
  const codePoints = (text) => {
    const points = new Array(text.length + 1);
    let count = 0;
    for (let at = 0; at < text.length; at += 1) {
      points[at] = count;
      if ((text.charCodeAt(at) & 0xfc00) !== 0xd800) count += 1;
    }
    points[text.length] = count;
    return points;
  };

  return { clean, unveil, fold, hasInk, open, openMark, add, isGlued, breakLine, finish };
}
