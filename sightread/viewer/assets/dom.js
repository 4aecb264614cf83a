"use strict";
// Elements, numbers and colours. Whatever comes from a page is set as text or as a checked value: nothing here parses markup.

const $ = (id) => document.getElementById(id);

/** Make an element with a class, children (strings become text nodes, nothing is skipped silently but null) and properties. */
function make(tag, className = "", children = [], properties = {}) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const child of [children].flat()) if (child !== null) element.append(child);
  return Object.assign(element, properties);
}

/** An element for text of a page, in whichever direction that text runs. */
function foreign(tag, className, text) {
  return make(tag, className, text, { dir: "auto" });
}

/** A link to a page of the web, or its bare text where the address is not one (`javascript:` and the like). */
function outward(url, className) {
  const safe = URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol);
  if (!safe) return make("span", className, url);
  return make("a", className, url, { href: url, target: "_blank", rel: "noopener noreferrer" });
}

/** A horizontal meter of a share from 0 to 1, with a tick where a threshold stands. */
function meter(share, className = "", threshold = null) {
  const bar = make("span", `meter ${className}`, make("i"));
  bar.firstChild.style.width = `${100 * Math.min(1, Math.max(0, share))}%`;
  if (threshold !== null) {
    const tick = make("b");
    tick.style.left = `${100 * threshold}%`;
    bar.append(tick);
  }
  return bar;
}

/** Terms and their values as a definition list; a value of null is left out. */
function terms(pairs, className = "terms") {
  const list = make("dl", className);
  for (const [term, value] of pairs) if (value !== null) list.append(make("dt", "", term), make("dd", "", value));
  return list;
}

const count = new Intl.NumberFormat("en");
const decimals = (value, places = 2) => (value === null ? "–" : value.toFixed(places));
const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
const shortened = (text, most = 48) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const plural = (number, noun) => `${count.format(number)} ${noun}${number === 1 ? "" : "s"}`;

const CONTENT_HUES = ["#0072b2", "#009e73", "#a23b9c", "#b07800", "#00889a", "#6a51c9", "#c0392b", "#4d7d1e", "#3f51b5", "#c2186b", "#7b5a3c", "#527a7a"];

/** Whether most of a cluster's text is content by its labels; without predictions those are what the titles and descriptions chose. */
function isContent({ kept, role }) {
  return kept === null ? Boolean(role) : kept >= 0.5;
}

/** Colours by cluster id: a distinct hue for each cluster of content, a pale one for the others, grey for noise. */
function clusterColours(clusters) {
  const colours = new Map([[-1, "#8a8f98"]]);
  let content = 0;
  for (const cluster of clusters) {
    const pale = `hsl(${Math.round(cluster.id * 137.5) % 360} 16% 56%)`;
    colours.set(cluster.id, isContent(cluster) ? CONTENT_HUES[content++ % CONTENT_HUES.length] : colours.get(cluster.id) ?? pale);
  }
  return colours;
}

const SWATCH = ["color", "background-color", "font-weight", "font-style"];
const SWATCH_FONT = 26;
const CLEAR = /^(?:transparent|rgba\(.*, 0\))$/;

/** A sample set in the style of its block. Only harmless properties are copied, through the style object, never as markup. */
function swatch(style, sample) {
  const element = foreign("span", "swatch", sample);
  for (const name of SWATCH) if (style[name] && !CLEAR.test(style[name])) element.style.setProperty(name, style[name]);
  const size = Number.parseFloat(style["font-size"]);
  if (size) element.style.fontSize = `${Math.min(SWATCH_FONT, Math.max(9, size))}px`;
  const [red, green, blue] = (element.style.color.match(/\d+/g) ?? [0, 0, 0]).map(Number);
  const light = 0.3 * red + 0.6 * green + 0.1 * blue > 170;
  if (light && !element.style.backgroundColor) element.classList.add("on-dark");
  return element;
}

/** A style as CSS declarations, one per line. */
function declarations(style) {
  const list = make("pre", "css");
  for (const [name, value] of Object.entries(style).sort()) list.append(make("span", "property", name), `: ${value};\n`);
  return list;
}
