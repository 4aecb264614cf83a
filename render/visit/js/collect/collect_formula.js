/* Formulas as TeX: the rules and tables of render/static/formulas.py, on elements of a rendered page. */
(dom, tables) => {
  "use strict";

  const { attribute, select, nodeType, firstChild, nextSibling } = dom;
  const DEEPEST = 40;
  const STYLED = /^\{\\(?:displaystyle|textstyle|scriptstyle) (.*)\}$/s;
  const SURELY_TEX = /\\[A-Za-z]+|[\^_=<>+]|^(?:[A-Za-z]'*|-?\d+(?:\.\d+)?)$/;
  const RENDERING = /\bMathJax(?:_\w+)?\b|\bmjx-chtml\b/;
  const NOTHING = new Set(["annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts"]);

  const classOf = (element) => attribute(element, "class") ?? "";
  const textOf = (element) => element.textContent;
  const childrenOf = (element) => {
    const found = [];
    for (let child = firstChild(element); child !== null; child = nextSibling(child)) if (nodeType(child) === 1) found.push(child);
    return found;
  };

  const normalised = (tex) => {
    let plain = tex.replace(/(?<!\\)%[^\n]*(?:\n|$)/g, " ").trim().replace(/\s+/g, " ");
    for (let styled = STYLED.exec(plain); styled !== null; styled = STYLED.exec(plain)) plain = styled[1].trim();
    return plain;
  };

  const delimited = (tex, isDisplay) => {
    const sure = SURELY_TEX.test(tex) ? tex : `{\\textstyle ${tex}}`;
    return isDisplay ? `\\[${sure}\\]` : `\\(${sure}\\)`;
  };

  /* Return the TeX, between delimiters, of an element that is a formula or renders one; undefined for any other, and empty if it is to be left out. */
  const read = (element, tag) => {
    if (tag === "math") return ofMath(element);
    if (tag === "mjx-container") return rendered(element);
    if (tag !== "span" && tag !== "div" && tag !== "nobr") return undefined;
    const name = classOf(element);
    if (name === "") return undefined;
    if (/(?:^|\s)katex(?:\s|$)/.test(name)) return rendered(element);
    return RENDERING.test(name) ? ofScript(element) : undefined;
  };

  /* KaTeX and MathJax 3 put the MathML beside what they render. */
  const rendered = (element) => {
    const math = select(element, "math");
    return math === null ? undefined : ofMath(math);
  };

  /* MathJax 2 renders before the script that holds the TeX: the last element before it is read as the formula, those before that as nothing. */
  const ofScript = (element) => {
    let next = element.nextElementSibling;
    const isLast = next !== null && next.localName === "script";
    while (next !== null && next.localName !== "script" && RENDERING.test(classOf(next))) next = next.nextElementSibling;
    if (next === null || next.localName !== "script" || !/^math\/tex/.test(attribute(next, "type") ?? "")) return undefined;
    return isLast ? delimited(normalised(textOf(next)), /display/.test(attribute(next, "type"))) : "";
  };

  const ofMath = (math) => {
    if (select(math, "a") !== null) return undefined;
    let isDisplay = /^block$/i.test(attribute(math, "display") ?? "");
    for (let at = math.parentElement, level = 0; at !== null && level < 4; at = at.parentElement, level += 1) {
      const name = classOf(at);
      if (/mwe-math/.test(name)) return undefined;
      isDisplay ||= /katex-display/.test(name) || attribute(at, "display") === "true";
    }
    const tex = normalised(declared(math) || row(math, 0));
    return tex === "" ? "" : delimited(tex, isDisplay);
  };

  const declared = (math) => {
    const alt = (attribute(math, "alttext") ?? "").trim();
    return alt !== "" ? alt : (select(math, 'annotation[encoding*="tex" i]')?.textContent ?? "").trim();
  };

  // Presentation MathML to TeX.

  const row = (element, depth) => joined(childrenOf(element).map((child) => texOf(child, depth + 1)));

  const joined = (parts) => {
    let whole = "";
    for (const part of parts) whole += /^[\p{L}\p{N}]/u.test(part) && /\\[A-Za-z]+$/.test(whole) ? ` ${part}` : part;
    return whole;
  };

  const group = (tex) => (/^(?:\\[A-Za-z]+|.)$/su.test(tex) ? tex : `{${tex}}`);

  const LAYOUTS = {
    mfrac: [2, ([top, bottom]) => `\\frac{${top}}{${bottom}}`],
    mroot: [2, ([base, degree]) => `\\sqrt[${degree}]{${base}}`],
    msup: [2, ([base, above]) => `${group(base)}^${group(above)}`],
    msub: [2, ([base, below]) => `${group(base)}_${group(below)}`],
    msubsup: [3, ([base, below, above]) => `${group(base)}_${group(below)}^${group(above)}`],
    mover: [2, ([base, accent]) => (accent in tables.accents ? `${tables.accents[accent]}{${base}}` : `${group(base)}^${group(accent)}`)],
  };
  LAYOUTS.munder = LAYOUTS.msub;
  LAYOUTS.munderover = LAYOUTS.msubsup;

  const texOf = (element, depth) => {
    const tag = element.localName;
    if (depth > DEEPEST || tag === "mi" || tag === "mn" || tag === "mo") {
      const text = textOf(element).replace(/\s+/g, "");
      if (tag === "mi" && /^\p{L}{2,}$/u.test(text)) return tables.functions.includes(text) ? `\\${text}` : `\\mathrm{${text}}`;
      return joined(Array.from(text, (sign) => tables.commands[sign] ?? sign));
    }
    if (tag === "mtext" || tag === "ms") {
      const text = textOf(element).replace(/[ \t\n\r\f]+/g, " ").replace(/^ | $/g, "").replaceAll("\u00a0", " ");
      return text.trim() === "" ? "" : `\\text{${text}}`;
    }
    if (NOTHING.has(tag)) return "";
    if (Object.hasOwn(LAYOUTS, tag)) {
      const parts = childrenOf(element).map((child) => texOf(child, depth + 1));
      const [least, write] = LAYOUTS[tag];
      return parts.length >= least ? write(parts) : joined(parts);
    }
    if (tag === "mtable") {
      const cells = (line) => childrenOf(line).map((cell) => row(cell, depth + 2)).join(" & ");
      return `\\begin{matrix}${childrenOf(element).map(cells).join(" \\\\ ")}\\end{matrix}`;
    }
    if (tag === "mfenced") {
      const inner = childrenOf(element).map((child) => texOf(child, depth + 1)).join(",");
      return `${attribute(element, "open") || "("}${inner}${attribute(element, "close") || ")"}`;
    }
    return tag === "msqrt" ? `\\sqrt{${row(element, depth)}}` : row(element, depth);
  };

  return { read };
}
