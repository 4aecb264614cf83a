/* What a document holds besides the text that it shows: the texts of its scripts, without JSON-LD, and its noscript elements. */
(most) => {
  "use strict";

  const find = (selector) => Array.from(Document.prototype.querySelectorAll.call(document, selector), (each) => each.textContent);
  const clip = (texts) => {
    let left = most;
    return texts.filter((text) => (left -= text.length) >= 0).map((text) => text.toWellFormed());
  };
  return [
    clip(find('script:not([src], [type*="ld+json" i])')),
    clip(find("body noscript").map((text) => `<noscript>${text}</noscript>`)),
  ];
}
