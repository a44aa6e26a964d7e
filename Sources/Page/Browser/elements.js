// Elements of the page, and values as people read and type them. Texts of the app are only ever set as text.

/** Makes an element: `make("td", { class: "number" }, "7")`. Properties that begin with "on" are listeners. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Whether values of a type are shown on the right. */
export const isNumeric = (type) => type.is === "integer" || type.is === "number";

/** A value as people read it. */
export function shown(value, type = {}, labels = {}) {
  if (value === null || value === undefined) return "";
  if (type.is === "reference") return labels[type.list]?.[value] ?? `#${value}`;
  if (type.places !== undefined && typeof value === "number") return value.toFixed(type.places);
  if (type.is === "time" && typeof value === "string") return new Date(value).toLocaleString();
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** An input for values of a type, with the value as it is typed in `typed(input)`. */
export function input(type, value, { choices = [], ...properties } = {}) {
  const text = value === null || value === undefined ? "" : String(value);
  if (type.is === "boolean") {
    return make("input", { type: "checkbox", checked: value === true, ...properties });
  }
  const texts = type.choices?.map((choice) => [choice, choice]) ?? (type.is === "reference" ? choices : null);
  if (texts) {
    const options = type.is_optional || type.is === "reference" ? [["", ""], ...texts] : texts;
    const select = make("select", properties, ...options.map(([key, label]) => make("option", { value: key }, label)));
    select.value = text;
    return select;
  }
  const kinds = { integer: "number", number: "number", date: "date", secret: "password" };
  const element = make("input", {
    type: kinds[type.is] ?? "text", min: type.min, max: type.max, maxlength: type.max_length,
    step: type.places !== undefined ? 10 ** -type.places : type.is === "number" ? "any" : undefined,
    autocomplete: type.is === "secret" ? "new-password" : "off", ...properties,
  });
  element.value = type.places !== undefined && typeof value === "number" ? value.toFixed(type.places) : text;
  return element;
}

/** What was typed into an input: a text, or a truth value. */
export const typed = (element) => element.type === "checkbox" ? String(element.checked) : element.value;
