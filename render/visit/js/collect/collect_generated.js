/* Text that is in no text node: that of `::before` and `::after`, quotation marks, counters, and the markers of lists.
   It has no box of its own, and the computed `content` holds counters and quotes by name: they are counted here as CSS counts them
   (Lists and Counters 3; Generated Content 3). */
(dom) => {
  "use strict";

  const { attribute } = dom;
  const TOKEN = /"((?:[^"\\]|\\.)*)"|(open|close|no-open|no-close)-quote|(counters?)\(([^()]*(?:"[^"]*"[^()]*)*)\)|\/|[\w-]+\([^()]*\)/g;
  const ICONS = /[\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]/g; // private use: pictures of an icon font
  const QUOTES = {
    "": "“”‘’", de: "„“‚‘", fr: "«»‹›", it: "«»“”", es: "«»“”", pt: "«»“”", ru: "«»„“", uk: "«»„“", pl: "„”«»", cs: "„“‚‘", sv: "””’’", da: "“”‘’",
    fi: "””’’", nl: "“”‘’", hu: "„”»«", ja: "「」『』", zh: "“”‘’", ko: "“”‘’",
  };
  const ROMAN = [[1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"], [50, "l"], [40, "xl"], [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"]];
  const BULLETS = { disc: "•", circle: "◦", square: "■", "disclosure-open": "▾", "disclosure-closed": "▸" };
  const LONGEST = 1000; // characters
  let depth = 0; // of open quotes
  let counted = null; // the counters of each element whose content asks for one

  const unescape = (text) => text.replace(/\\(.)/g, "$1");

  // Which elements have any. To ask each of them would cost as much as all the rest.

  const CONTENT = /content\s*:\s*([^;}]*)/g;
  const TELLING = /"\s*[^"\s][^"]*"|'\s*[^'\s][^']*'|attr\(|counter|quote|var\(/;
  const SETTLED = 2; // elements of a kind (tag and class) without any, and the kind is taken to have none
  const asked = new Map();

  const visible = (value) => TELLING.test(value.replace(/\\[ef][0-9a-f]{3}\s?/gi, "").replace(ICONS, ""));

  /* Return the selectors of a sheet's rules for generated text; null if they cannot be read. The text of the sheet is searched, for
     its rules as objects cost ten times as much. Rules within rules may match too much, which does no harm. */
  const selectorsOf = (css) => {
    const found = [];
    for (const match of css.matchAll(CONTENT)) {
      if (!visible(match[1])) continue;
      const open = css.lastIndexOf("{", match.index);
      const start = Math.max(...["}", "{", ";", "/"].map((mark) => css.lastIndexOf(mark, open - 1))); // "/" ends a comment
      const selector = css.slice(start + 1, open);
      if (!/:(before|after|marker)/.test(selector)) continue;
      if (selector.includes("&")) return null;
      found.push(selector.replace(/::?(before|after|marker)/g, "").replace(/(^|,)\s*(?=,|$)/g, "$1*").replace(/((?<!\s)\s|[>+~])\s*(?=,|$)/g, "$1*"));
    }
    return found;
  };

  const candidatesOf = (root) => {
    if ((root.adoptedStyleSheets?.length ?? 0) > 0) return null;
    const found = new Set(dom.selectAll(root, "q"));
    for (const sheet of root.styleSheets) {
      if (sheet.href !== null && !navigator.onLine) continue; // it never came
      if (sheet.href !== null || !sheet.ownerNode || /@import/i.test(sheet.ownerNode.textContent)) return null;
      const selectors = selectorsOf(sheet.ownerNode.textContent);
      if (selectors === null) return null;
      try {
        if (selectors.length > 0) for (const element of dom.selectAll(root, selectors.join(","))) found.add(element);
      } catch {
        return null; // a selector that only style sheets know
      }
    }
    return found;
  };

  /* Return what tells whether an element of the document or shadow tree may have generated text. */
  const finder = (root) => {
    const candidates = candidatesOf(root);
    if (candidates !== null) return candidates.size > 0 ? (element) => candidates.has(element) : () => false;
    return (element) => {
      const kind = `${element.localName} ${attribute(element, "class")}`;
      const times = asked.get(kind) ?? 0;
      if (times >= SETTLED) return false;
      asked.set(kind, shows(element) ? -Infinity : times + 1);
      return true;
    };
  };

  const isNone = (content) => content === "none" || content === "normal" || content === "" || content === '""';
  const shows = (element) => !isNone(getComputedStyle(element, "::before").content) || !isNone(getComputedStyle(element, "::after").content);

  const quote = (kind, element, style) => {
    if (kind.endsWith("close")) depth = Math.max(depth - 1, 0);
    const level = Math.min(depth, 1);
    if (kind.endsWith("open")) depth += 1;
    if (kind.startsWith("no")) return "";
    const given = [...style.quotes.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => unescape(match[1]));
    if (style.quotes === "none") return "";
    const language = (element.closest("[lang]")?.lang ?? "").toLowerCase().split("-", 1)[0];
    const marks = given.length > 1 ? given : [...(QUOTES[language] ?? QUOTES[""])];
    return marks[Math.min(2 * level, marks.length - 2) + (kind === "open" ? 0 : 1)];
  };

  const alphabetic = (number, first, letters) => {
    let text = "";
    for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / letters)) text = String.fromCharCode(first + ((rest - 1) % letters)) + text;
    return text;
  };

  const roman = (number) => {
    let rest = number;
    let text = "";
    for (const [value, letters] of ROMAN) for (; rest >= value; rest -= value) text += letters;
    return text;
  };

  /* Return a number in a counter style; one that is not known here is decimal. */
  const format = (number, style) => {
    if (style in BULLETS) return BULLETS[style];
    if (style === "none") return "";
    if (style === "decimal-leading-zero") return (number < 0 ? "-" : "") + String(Math.abs(number)).padStart(2, "0");
    if (number > 0 && number < 4000) {
      if (/^(lower|upper)-(alpha|latin)$/.test(style)) return alphabetic(number, style.startsWith("lower") ? 97 : 65, 26);
      if (style === "lower-roman") return roman(number);
      if (style === "upper-roman") return roman(number).toUpperCase();
    }
    return String(number);
  };

  const count = (element, which, words) => {
    counted ??= countAll();
    const [name, ...rest] = words.match(/"[^"]*"|[\w-]+/g) ?? [""];
    const values = counted.get(element)?.[which]?.[name] ?? [0];
    const separator = rest[0]?.startsWith('"') ? rest.shift().slice(1, -1) : null;
    const shown = separator === null ? values.slice(-1) : values;
    return shown.map((value) => format(value, rest[0] ?? "decimal")).join(separator ?? "");
  };

  /* Return the values of all counters at each element with generated content that counts. A counter lives in the element that resets
     it, in that element's later siblings, and in all their descendants. */
  const countAll = () => {
    const open = new Map(); // name: [{ value, level }], the innermost last
    const found = new Map();
    const change = (text, level, act) => {
      for (const [, name, value] of text.matchAll(/([\w-]+) (-?\d+)/g)) {
        if (!open.has(name)) open.set(name, []);
        act(open.get(name), Number(value), level);
      }
    };
    const reset = (instances, value, level) => {
      while (instances.at(-1)?.level >= level) instances.pop();
      instances.push({ value, level });
    };
    const alter = (how) => (instances, value, level) => {
      if (instances.length === 0) instances.push({ value: 0, level });
      instances.at(-1).value = how(instances.at(-1).value, value);
    };
    const apply = (style, level) => {
      if (style.counterReset !== "none") change(style.counterReset, level, reset);
      if (style.counterIncrement !== "none") change(style.counterIncrement, level, alter((old, value) => old + value));
      if (style.counterSet !== "none") change(style.counterSet, level, alter((_, value) => value));
    };
    const note = (element, which, level) => {
      const style = getComputedStyle(element, which);
      if (/^(none|normal|)$/.test(style.content) || style.display === "none") return;
      apply(style, level + 1);
      if (!style.content.includes("counter")) return;
      const values = Object.fromEntries([...open].map(([name, instances]) => [name, instances.map(({ value }) => value)]));
      found.set(element, { ...found.get(element), [which]: values });
    };
    const close = (level) => {
      for (const instances of open.values()) while (instances.at(-1)?.level > level) instances.pop();
    };
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
    const left = (element, level) => {
      note(element, "::after", level);
      close(level);
    };
    let level = 0;
    for (let at = walker.currentNode; at !== null; ) {
      const style = getComputedStyle(at);
      const shown = style.display !== "none";
      if (shown) {
        apply(style, level);
        note(at, "::before", level);
      }
      if (shown && walker.firstChild() !== null) {
        level += 1;
        at = walker.currentNode;
        continue;
      }
      if (shown) left(at, level);
      while (at !== null && walker.nextSibling() === null) {
        at = walker.parentNode();
        level -= 1;
        if (at !== null) left(at, level);
      }
      at = at === null ? null : walker.currentNode;
    }
    return found;
  };

  /* Return the text of a pseudo-element and its style; null where it shows none. */
  const read = (element, which) => {
    const style = getComputedStyle(element, which);
    const { content } = style;
    if (isNone(content) || style.display === "none") return null;
    let text = "";
    for (const [token, string, quoteKind, counter, words] of content.matchAll(TOKEN)) {
      if (token === "/") break; // what follows describes the content
      if (string !== undefined) text += unescape(string);
      else if (quoteKind !== undefined) text += quote(quoteKind, element, style);
      else if (counter !== undefined) text += count(element, which, words);
    }
    text = text.replace(ICONS, "").slice(0, LONGEST);
    return text === "" || style.fontSize === "0px" ? null : { text, style };
  };

  // Markers.

  const numbers = new WeakMap(); // a list's items and their numbers

  const numberOf = (item) => {
    const list = item.parentElement;
    if (list === null) return 1;
    if (!numbers.has(list)) numbers.set(list, numberItems(list));
    return numbers.get(list).get(item) ?? 1;
  };

  /* Number the items of a list as HTML does: `start`, `reversed` and `value`. */
  const numberItems = (list) => {
    const items = [...list.children].filter((child) => child.localName === "li");
    const step = list.localName === "ol" && list.reversed ? -1 : 1;
    const whole = (text) => (/^\s*[-+]?\d{1,9}/.test(text ?? "") ? parseInt(text) : null);
    let number = whole(list.localName === "ol" ? attribute(list, "start") : null) ?? (step < 0 ? items.length : 1);
    const found = new Map();
    for (const item of items) {
      number = whole(attribute(item, "value")) ?? number;
      found.set(item, number);
      number += step;
    }
    return found;
  };

  /* Return the marker of a list item as a reader sees it, without space around it. */
  const markerOf = (element, style, generates) => {
    if (generates) {
      const own = read(element, "::marker");
      if (own !== null) return own.text.trim();
    }
    const type = style.listStyleType;
    if (type === "none") return "";
    if (type.startsWith('"')) return unescape(type.slice(1, -1)).trim();
    return type in BULLETS ? BULLETS[type] : `${format(numberOf(element), type)}.`;
  };

  return { finder, read, markerOf };
}
