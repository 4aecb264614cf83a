"use strict";
// The page of the API: the OpenAPI document of this service, one operation per line.

function make(tag, text = "", attributes = {}, ...children) {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

let schemas = {};

function nameOf(reference) {
  return reference.split("/").pop();
}

function describe(schema) {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.anyOf) return schema.anyOf.map(describe).join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const limits = [
    ["minimum", "≥"], ["maximum", "≤"], ["exclusiveMinimum", ">"], ["exclusiveMaximum", "<"], ["minItems", "items ≥"], ["maxItems", "items ≤"],
    ["maxLength", "length ≤"],
  ].filter(([name]) => schema[name] !== undefined).map(([name, sign]) => ` ${sign} ${schema[name]}`).join(",");
  if (schema.type === "array") return `list of ${schema.items ? describe(schema.items) : schema.prefixItems ? schema.prefixItems.map(describe).join(", ") : "any"}${limits}`;
  return `${schema.type || "any"}${limits}`;
}

function resolved(schema) {
  return schema.$ref ? schemas[nameOf(schema.$ref)] : schema;
}

function table(schema) {
  const required = new Set(schema.required || []);
  const rows = Object.entries(schema.properties || {}).map(([name, field]) => {
    const initial = required.has(name) ? "required" : field.default === undefined ? "" : `default ${JSON.stringify(field.default)}`;
    const about = [initial, field.description].filter(Boolean).join(". ");
    return make("tr", "", {}, make("td", name), make("td", describe(field)), make("td", about));
  });
  const head = make("tr", "", {}, make("th", "field"), make("th", "type"), make("th", ""));
  return make("div", "", { class: "scroll" }, make("table", "", {}, head, ...rows));
}

function model(title, schema) {
  const parts = schema.anyOf || [schema];
  return parts.flatMap((part) => {
    const found = resolved(part);
    const heading = make("h3", part.$ref ? `${title}: ${nameOf(part.$ref)}` : `${title}: ${describe(part)}`);
    const about = make("p", (found && found.description) || "", { class: "soft" });
    return found && found.properties ? [heading, about, table(found)] : [heading];
  });
}

function operation(method, path, found) {
  const summary = make("summary", "", {}, make("span", method.toUpperCase(), { class: "method" }), make("span", path, { class: "path" }), make("span", found.summary, { class: "soft" }));
  const inner = make("div", "", { class: "inner" });
  if (found.description) inner.append(make("p", found.description, { class: "soft" }));
  if (found.parameters) {
    const rows = found.parameters.map((each) => make("tr", "", {}, make("td", each.name), make("td", describe(each.schema)), make("td", `${each.in}: ${each.description}`)));
    inner.append(make("h3", "Parameters"), make("div", "", { class: "scroll" }, make("table", "", {}, ...rows)));
  }
  if (found.requestBody) inner.append(...model("Body", found.requestBody.content["application/json"].schema));
  for (const [status, response] of Object.entries(found.responses)) {
    const [type, content] = Object.entries(response.content || { "": {} })[0];
    const title = `${status} ${response.description}${type && type !== "application/json" ? `, ${type}` : ""}`;
    if (status < 300 && content.schema) inner.append(...model(title, content.schema));
  }
  const refusals = Object.entries(found.responses).filter(([status]) => status >= 300);
  if (refusals.length) inner.append(make("h3", "Other answers"), make("p", refusals.map(([status, response]) => `${status} ${response.description}`).join(", "), { class: "soft" }));
  const details = make("details", "", { class: "operation" }, summary, inner);
  return details;
}

async function start() {
  const api = await (await fetch(new URL("api/v1/openapi.json", document.baseURI))).json();
  schemas = api.components.schemas;
  document.getElementById("about").textContent = `API, version ${api.info.version}`;
  const groups = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, found] of Object.entries(methods)) {
      const tag = found.tags[0];
      if (!groups.has(tag)) groups.set(tag, make("section", "", {}, make("h2", tag[0].toUpperCase() + tag.slice(1))));
      groups.get(tag).append(operation(method, path, found));
    }
  }
  document.getElementById("operations").append(...groups.values());
}

start();
