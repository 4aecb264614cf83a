/* What a page declares: titles, descriptions, metas, JSON-LD, canonical URL, language; and the links of every root. */
(texts, dom) => {
  "use strict";

  const { clean, fold } = texts;
  const { documentElement, selectAll, attribute } = dom;

  const CAPS = { metas: 300, content: 4000, jsonLd: 500_000, links: 20_000, url: 2000, text: 200 };

  const readMetas = () => {
    const metas = [];
    let language = "";
    for (const meta of selectAll(document, "meta")) {
      const content = fold(attribute(meta, "content") ?? "").slice(0, CAPS.content);
      const name = attribute(meta, "name") || attribute(meta, "property") || attribute(meta, "itemprop");
      if (name && content && metas.length < CAPS.metas) metas.push([clean(name.trim().toLowerCase()), clean(content)]);
      else if (!name && /^content-language$/i.test(attribute(meta, "http-equiv") ?? "")) language ||= content;
    }
    return { metas, language };
  };

  const readJsonLd = () => {
    const texts = [];
    let budget = CAPS.jsonLd;
    for (const script of selectAll(document, 'script[type="application/ld+json" i]')) {
      budget -= script.textContent.length;
      if (budget >= 0) texts.push(clean(script.textContent));
    }
    return texts;
  };

  const readHead = () => {
    const { metas, language } = readMetas();
    const named = (...names) => names.flatMap((name) => metas.filter((meta) => meta[0] === name).map((meta) => meta[1]));
    const root = documentElement(document);
    const title = fold(dom.title(document));
    return {
      titles: [...new Set([title, ...named("og:title", "twitter:title")])].filter(Boolean),
      descriptions: [...new Set(named("description", "og:description", "twitter:description"))],
      metas,
      json_ld: readJsonLd(),
      canonical: selectAll(document, 'link[rel~="canonical" i][href]')[0]?.href ?? "",
      language: clean((attribute(root, "lang") || attribute(root, "xml:lang") || language).trim()),
    };
  };

  /* Return the address of a link; empty where it leads nowhere. Those of SVG have an object in its place, those of MathML an attribute. */
  const addressOf = (anchor) => {
    if (typeof anchor.href === "string") return anchor.href;
    const written = attribute(anchor, "href") || Element.prototype.getAttributeNS.call(anchor, "http://www.w3.org/1999/xlink", "href");
    try {
      return written ? new URL(written, anchor.baseURI).href : "";
    } catch {
      return "";
    }
  };

  /* Return each http(s) URL once, without its fragment, from the first that has text. `known` maps links to their URLs. */
  const readLinks = (roots, known) => {
    const links = new Map();
    for (const root of roots) {
      for (const anchor of selectAll(root, "a[*|href], area[*|href]")) {
        const href = known.get(anchor) ?? addressOf(anchor);
        if (!href.startsWith("http") || href.length > CAPS.url) continue;
        const url = href.split("#", 1)[0];
        const link = links.get(url);
        if (link === undefined ? links.size >= CAPS.links : link[1] !== "") continue;
        const rel = clean(attribute(anchor, "rel") ?? "");
        const text = clean(fold(anchor.textContent.slice(0, 10 * CAPS.text)).slice(0, CAPS.text));
        links.set(url, rel === "" ? [url, text] : [url, text, rel]);
      }
    }
    return [...links.values()];
  };

  return { addressOf, readHead, readLinks };
}
