// What the colours of the page stand for, and how many blocks have each.

function legendEntry(mark, text, colour = null) {
  const icon = make("i", `mark ${mark}`);
  if (colour) icon.style.setProperty("--c", colour);
  return make("span", "entry", [icon, text]);
}

/** What the colours stand for and how many blocks have each; doubts are left out where there are none. */
function legendEntries({ blocks }) {
  const total = (test) => blocks.filter(test).length;
  const entry = (mark, name, test, colour) => legendEntry(mark, `${name} ${count.format(total(test))}`, colour);
  const doubt = (mark, name, test) => (total(test) ? entry(mark, name, test) : null);
  const differ = doubt("differs", "differ from label", (block) => block.disagrees);
  if (state.colour === "prediction") {
    const kept = [entry("kept", "kept", (block) => block.kept), entry("dropped", "dropped", (block) => !block.kept)];
    return [...kept, doubt("kept unsure", "unsure", (block) => block.unsure), differ];
  }
  if (state.colour === "label") {
    const labelled = [entry("kept", "content", (block) => block.label === 1), entry("dropped", "boilerplate", (block) => block.label === 0)];
    return [...labelled, doubt("unknown", "unknown", (block) => block.label === -1), differ];
  }
  const here = state.site.clusters.filter((cluster) => isContent(cluster) && summary().clusters.includes(cluster.id));
  const chosen = here.map(({ id, role }) => entry("cluster", `${id} ${role || "content"}`, (block) => block.cluster === id, state.colours.get(id)));
  return [...chosen, entry("cluster", "others", (block) => !here.some(({ id }) => id === block.cluster)), differ];
}

function paintLegend() {
  if (!state.view) return;
  const entries = legendEntries(state.view).filter(Boolean);
  const images = state.view.images.filter((image) => isSeen(image) || image.kept);
  if (images.length) entries.push(legendEntry("image", `images ${count.format(images.filter(({ kept }) => kept).length)} of ${count.format(images.length)}`));
  if (state.cluster !== null) {
    const chip = make("button", "chip", [`only cluster ${state.cluster}`, make("span", "cross", "×")], { title: "Show all clusters (Esc)" });
    chip.addEventListener("click", () => change({ cluster: null }));
    entries.push(chip);
  }
  $("legend").replaceChildren(...entries);
}
