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
  return {
    nodeType,
    documentElement,
    firstChild: getter(Node.prototype, "firstChild"),
    nextSibling: getter(Node.prototype, "nextSibling"),
    scroller: getter(Document.prototype, "scrollingElement")(document) ?? documentElement(document),
    title: getter(Document.prototype, "title"),
    bodyOf: (root) => documentBody(root) ?? documentElement(root),
    attribute: (element, name) => Element.prototype.getAttribute.call(element, name),
    isShown: (element, how) => Element.prototype.checkVisibility.call(element, how),
    rectOf: (element) => Element.prototype.getBoundingClientRect.call(element),
    select: (element, selector) => Element.prototype.querySelector.call(element, selector),
    selectAll: (root, selector) => (nodeType(root) === 9 ? Document : DocumentFragment).prototype.querySelectorAll.call(root, selector),
  };
}
