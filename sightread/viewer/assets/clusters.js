// The table of clusters, beside the page on which the chosen one is highlighted.

const COLUMNS = [
  ["id", "Cluster", (cluster) => cluster.id],
  ["kept", "Content", (cluster) => (isContent(cluster) ? 1e6 : 0) + (cluster.role === "body" ? 1e3 : 0) + cluster.text_share],
  ["role", "By titles", (cluster) => (cluster.role ? 1e6 : 0) + (cluster.role === "body" ? 1e3 : 0) + cluster.text_share],
  ["prediction", "By the model", (cluster) => cluster.prediction ?? 0],
  ["blocks", "Blocks", (cluster) => cluster.blocks],
  ["pages", "Pages", (cluster) => cluster.pages],
  ["relevance", "Relevance", (cluster) => cluster.relevance],
  ["text", "Text", (cluster) => cluster.text_share],
  ["links", "In links", (cluster) => cluster.link_share],
];
const order = { column: "kept", descending: true };

/** What a cluster was chosen for, in words. */
function roleOf({ role, template }) {
  if (!role) return "boilerplate";
  return role === "body" ? `text of template ${template + 1}` : `part of template ${template + 1}`;
}

/** The mean prediction of the global model as a probability; a dash without predictions. */
function modelOf({ prediction }) {
  return prediction === null ? "–" : decimals(1 / (1 + Math.exp(-prediction)));
}

/** Both sources of evidence, in a sentence. */
function evidenceOf(cluster) {
  const titles = `Titles and descriptions: ${roleOf(cluster)} (relevance ${count.format(Math.round(cluster.relevance))}).`;
  if (cluster.kept === null) return titles;
  return `${titles} The global model gives its blocks ${modelOf(cluster)} on average. Together: ${percent(cluster.kept)} of its text is labelled content.`;
}

function shareCell(share) {
  return make("td", "share", [meter(share, "thin"), percent(share)]);
}

function clusterRow(cluster) {
  const dot = make("i", "dot");
  dot.style.background = state.colours.get(cluster.id);
  const name = make("button", "cluster", [dot, `${cluster.id}`], { ariaLabel: `Cluster ${cluster.id}: highlight it on the page` });
  const row = make("tr", isContent(cluster) ? "content" : "", [
    make("td", "", name),
    cluster.kept === null ? make("td", "", isContent(cluster) ? "yes" : "no") : shareCell(cluster.kept),
    make("td", "role", roleOf(cluster)),
    make("td", "number", modelOf(cluster)),
    make("td", "number", count.format(cluster.blocks)),
    make("td", "number", count.format(cluster.pages)),
    make("td", "number", count.format(Math.round(cluster.relevance))),
    shareCell(cluster.text_share),
    shareCell(cluster.link_share),
    make("td", "sample", swatch(cluster.style, cluster.samples[0] ?? "")),
  ]);
  row.dataset.id = cluster.id;
  row.addEventListener("click", () => highlight(state.cluster === cluster.id ? null : cluster.id));
  return row;
}

function expanded(cluster) {
  const samples = cluster.samples.map((sample) => foreign("li", "", sample));
  const style = Object.keys(cluster.style).length ? declarations(cluster.style) : make("p", "muted", "looks like the body");
  return make("tr", "more", make("td", "", [
    make("p", "", evidenceOf(cluster)),
    make("div", "columns", [
      section("Longest texts", make("ol", "samples", samples)),
      section("Look, where it differs from the body", style),
    ]),
    terms([["Tag path", make("code", "", cluster.tag_path.replaceAll("/", " › "))], ["Median width", cluster.width ? `${Math.round(cluster.width)} px` : null]]),
  ], { colSpan: COLUMNS.length + 1 }));
}

function paintClusters() {
  const [, , key] = COLUMNS.find(([name]) => name === order.column);
  const sign = order.descending ? -1 : 1;
  const clusters = [...state.site.clusters].sort((one, other) => sign * (key(one) - key(other)));
  const head = COLUMNS.map(([name, title]) => {
    const button = make("button", "", title);
    button.addEventListener("click", () => sortBy(name));
    const cell = make("th", "", button, { scope: "col" });
    if (name === order.column) cell.ariaSort = order.descending ? "descending" : "ascending";
    return cell;
  });
  const rows = clusters.flatMap((cluster) => (cluster.id === state.cluster ? [clusterRow(cluster), expanded(cluster)] : [clusterRow(cluster)]));
  const table = make("table", "", [make("thead", "", make("tr", "", [...head, make("th", "", "A sample, in its style")])), make("tbody", "", rows)]);
  $("clusters").replaceChildren(state.site.clusters.length ? table : make("p", "muted", "No clusters: this page was judged by a model alone."));
  const chosen = $("clusters").querySelector(`tr[data-id="${state.cluster}"]`);
  chosen?.classList.add("chosen");
  chosen?.scrollIntoView({ block: "nearest" });
}

function sortBy(column) {
  order.descending = order.column === column ? !order.descending : column !== "id";
  order.column = column;
  paintClusters();
}

function startClusters() {
  paints("cluster", paintClusters);
  paintClusters();
}
