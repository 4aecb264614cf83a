/* The document's own properties, also those that a form shadows by the names of its fields, or a document by those of its images.
   In an isolated world nothing else of a page's reaches us. */
() => {
  "use strict";

  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const nodeType = getter(Node.prototype, "nodeType");
  const documentElement = getter(Document.prototype, "documentElement");
  const documentBody = getter(Document.prototype, "body");
  const bodyOf = (root) => documentBody(root) ?? documentElement(root);
  const selectAll = (root, selector) => (nodeType(root) === 9 ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector);

  /* Return the document, its open shadow roots and the documents of its frames that may be read. */
  const findRoots = () => {
    const roots = [document];
    for (const root of roots) {
      for (const element of selectAll(root, "*")) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
        else if (/^i?frame$/.test(element.localName)) {
          try {
            if (element.contentDocument) roots.push(element.contentDocument);
          } catch {
            continue; // of another origin
          }
        }
      }
    }
    return roots;
  };

  return {
    nodeType,
    documentElement,
    findRoots,
    text: getter(Node.prototype, "textContent"),
    matches: (element, selector) => Element.prototype.matches.call(element, selector),
    firstChild: getter(Node.prototype, "firstChild"),
    childrenOf: getter(Element.prototype, "children"),
    nextSibling: getter(Node.prototype, "nextSibling"),
    scroller: getter(Document.prototype, "scrollingElement")(document) ?? documentElement(document),
    title: getter(Document.prototype, "title"),
    bodyOf,
    attribute: (element, name) => Element.prototype.getAttribute.call(element, name),
    isShown: (element) => Element.prototype.checkVisibility.call(element),
    isSeen: (element) => Element.prototype.checkVisibility.call(element, { opacityProperty: true, visibilityProperty: true }),
    topsOf: (root) => (nodeType(root) === 9 ? [bodyOf(root)] : [...root.children]).filter(Boolean),
    rectOf: (element) => Element.prototype.getBoundingClientRect.call(element),
    select: (element, selector) => Element.prototype.querySelector.call(element, selector),
    selectAll,
  };
}
