/* The table of styles: the computed properties of a block that differ from the body's, each set once.
   Styles are distinguished by few reads, with shorthands in place of their longhands; one new to the page is then read in full. */
(names, bodyStyle, clean) => {
  "use strict";

  const SHORTHANDS = {
    font: ["font-style", "font-variant-caps", "font-weight", "font-size", "line-height", "font-family"],
    margin: ["margin-top", "margin-right", "margin-bottom", "margin-left"],
    padding: ["padding-top", "padding-right", "padding-bottom", "padding-left"],
    "border-width": ["border-top-width", "border-right-width", "border-bottom-width", "border-left-width"],
  };
  const LONGEST = 200; // characters of a value

  const properties = names[0] === "*" ? [...bodyStyle] : names;
  const bodyValues = new Map(properties.map((name) => [name, bodyStyle.getPropertyValue(name)]));
  const shorthands = Object.keys(SHORTHANDS).filter((name) => SHORTHANDS[name].every((longhand) => bodyValues.has(longhand)));
  const covered = new Set(shorthands.flatMap((name) => SHORTHANDS[name]));
  const telling = [...shorthands, ...properties.filter((name) => !covered.has(name))];
  const tellingOfBody = telling.map((name) => bodyStyle.getPropertyValue(name));
  const rows = new Map();
  const table = [];

  const rowOf = (scope) => {
    if (scope.styleRow < 0) scope.styleRow = findRow(scope.style);
    return scope.styleRow;
  };

  const findRow = (style) => {
    let key = "";
    for (let i = 0; i < telling.length; i += 1) {
      const value = style.getPropertyValue(telling[i]) || spellOut(style, telling[i]);
      if (value !== tellingOfBody[i]) key += `${i}:${value};`;
    }
    const row = rows.get(key) ?? table.push(differences(style)) - 1;
    rows.set(key, row);
    return row;
  };

  /* Return the longhands of a shorthand that cannot say them. */
  const spellOut = (style, name) => (SHORTHANDS[name] ?? []).map((longhand) => style.getPropertyValue(longhand)).join();

  const differences = (style) => {
    const entry = {};
    for (const [name, usual] of bodyValues) {
      const value = style.getPropertyValue(name);
      if (value !== usual) entry[name] = clean(value.slice(0, LONGEST));
    }
    return entry;
  };

  const ofBody = () => Object.fromEntries([...bodyValues].map(([name, value]) => [name, clean(value.slice(0, LONGEST))]));
  return { table, rowOf, ofBody, isEmpty: properties.length === 0 };
}
