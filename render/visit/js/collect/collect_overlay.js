/* What may lie over the page: boxes fixed to the screen, dialogs, and what bears the name of a consent layer. Only those that hold text
   that is laid out; what they are is decided from their text (see overlays.py). */
(dom, view) => {
  "use strict";

  const NAMES = /consent|cookie|gdpr|cmp|privacy|ccpa/i;
  const DIALOGS = /^(alert)?dialog$/i;

  /* Whether a box is taken out of the flow; a dialog that is not covers nothing. */
  const liesOver = (scope) => view.isPinned(scope) || /absolute|fixed|sticky/.test(scope.style.position);

  /* Return what an element may be, by its entry in the table of elements. */
  const callLayer = (scope, [tag, , id = "", classes = [], attributes = {}]) => {
    if ((tag === "dialog" || DIALOGS.test(attributes.role ?? "")) && liesOver(scope)) return "dialog";
    const isPinned = view.isPinned(scope);
    if (isPinned && !view.isPinned(scope.parent)) return "fixed";
    return NAMES.test(id) || classes.some((name) => NAMES.test(name)) ? (isPinned ? "fixed" : "named") : "";
  };

  /* Return [row, how, box] of each, the outer before the inner. */
  const findLayers = (runs, elements) => {
    const seen = new Set([0]);
    const layers = [];
    for (const { group, hidden } of runs) {
      if (hidden === "display") continue;
      for (let at = group.scope; at.parent !== null && !seen.has(at.row); at = at.parent) {
        seen.add(at.row);
        const how = callLayer(at, elements[at.row]);
        if (how !== "") layers.push([at.row, how, view.asBox(view.boxOf(at))]);
      }
    }
    return layers.sort((one, other) => one[0] - other[0]);
  };

  const countPasswords = (roots) =>
    roots.flatMap((root) => [...dom.selectAll(root, 'input[type="password" i]')]).filter((field) => {
      return dom.isSeen(field) && view.hasArea(dom.rectOf(field));
    }).length;

  return { findLayers, countPasswords };
}
