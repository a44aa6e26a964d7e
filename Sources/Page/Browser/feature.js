// A feature: its fields, its lists, and a form for each function.
import { ask } from "./server.js";
import { input, make, shown, typed } from "./elements.js";
import { ListTable } from "./list.js";

/** Whether a value is an object with members. */
const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A table for records, or for groups by their keys; undefined for another value. */
function table(value) {
  let rows;
  if (Array.isArray(value) && value.length && value.every(isRecord)) rows = value;
  if (isRecord(value) && Object.values(value).length && Object.values(value).every(isRecord)) {
    rows = Object.entries(value).map(([key, members]) => ({ key, ...members }));
  }
  if (!rows) return undefined;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (part) => make("td", { class: typeof part === "number" ? "number" : "" }, shown(part));
  return make("div", { class: "rows" }, make("table", {},
    make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...names.map((name) => cell(row[name])))))));
}

const hasTable = (field) => ["list", "map", "set"].includes(field.kind);

/** The panel of a feature. */
export class FeatureView {
  constructor(feature, view) {
    this.feature = feature;
    this.view = view;
    this.values = new Map();
    this.fields = make("dl", { class: "fields" });
    for (const field of feature.fields.filter((field) => !hasTable(field))) this.addField(field);
    this.tables = feature.fields.filter(hasTable).map((field) => new ListTable(field, view));
    this.element = make("div", {},
      make("h2", {}, feature.name), make("p", { class: "help" }, feature.help), this.fields,
      ...this.tables.map((table) => table.element),
      feature.calls.length && view.canChange
        ? make("section", { class: "calls" }, make("h3", {}, "What can be done"),
          ...feature.calls.map((call) => this.form(call)))
        : null);
  }

  addField(field) {
    const value = make("dd");
    this.values.set(field.path, { field, value });
    const help = field.help ? make("p", { class: "help" }, field.help) : null;
    this.fields.append(make("dt", {}, field.name), make("div", {}, value, help));
  }

  /** Asks for the values of the moment that is shown, and shows them. */
  async show() {
    const answer = await ask("values", { feature: this.feature.name, at: this.view.at });
    for (const [path, { field, value }] of this.values) {
      this.showValue(field, value, answer.values[path]?.value);
    }
    await Promise.all(this.tables.map((table) => table.show()));
  }

  async showValue(field, place, value) {
    if (!field.is_editable || !this.view.canChange || field.type.is === "other") {
      const labels = await this.view.labels(field.type);
      place.replaceChildren(table(value) ?? (shown(value, field.type, labels) || "—"));
      return;
    }
    if (place.contains(document.activeElement)) return;
    const problem = make("span", { class: "bad", role: "alert" });
    const choices = field.type.is === "reference" ? await this.view.choices(field.type.list) : [];
    const element = input(field.type, value, {
      choices, "aria-label": field.name,
      onchange: async () => {
        const refusal = await this.view.attempt("set", { path: field.path, value: typed(element) });
        problem.textContent = refusal?.message ?? "";
        element.setAttribute("aria-invalid", String(Boolean(refusal)));
      },
    });
    place.replaceChildren(element, " ", problem);
  }

  form(call) {
    const result = make("pre", { hidden: true });
    const problem = make("p", { class: "bad", role: "alert", hidden: true });
    const inputs = call.parameters.filter((parameter) => parameter.name !== "...").map((parameter) => ({
      parameter,
      place: make("label", {}, this.parameterText(parameter)),
    }));
    const button = make("button", { class: "main" }, call.name.replaceAll("_", " "));
    const form = make("form", { class: "call", onsubmit: (event) => { event.preventDefault(); send(); } },
      ...inputs.map(({ place }) => place), make("div", {}, button), problem, result);
    const send = async () => {
      const given = {};
      for (const { parameter, element } of inputs) {
        const text = typed(element);
        if (text !== "" || (!parameter.is_optional && parameter.type.is === "string")) given[parameter.name] = text;
      }
      button.disabled = true;
      problem.hidden = result.hidden = true;
      try {
        const answer = await ask("call", { feature: this.feature.name, name: call.name, arguments: given });
        result.textContent = answer.result;
        result.hidden = answer.result === "";
      } catch (refusal) {
        problem.textContent = refusal.message;
        problem.hidden = false;
      }
      button.disabled = false;
    };
    const details = make("details", {
      ontoggle: async () => {
        if (!details.open || inputs.every(({ element }) => element)) return;
        for (const entry of inputs) {
          const type = { ...entry.parameter.type, is_optional: entry.parameter.is_optional };
          const choices = type.is === "reference" ? await this.view.choices(type.list) : [];
          entry.element = input(type, null, { choices, placeholder: entry.parameter.default });
          entry.place.append(entry.element);
        }
      },
    }, make("summary", {}, call.name, call.help ? make("span", { class: "faint" }, ` — ${call.help}`) : null), form);
    if (call.name === this.feature.main) details.open = true;
    return details;
  }

  parameterText(parameter) {
    const text = parameter.name.replaceAll("_", " ");
    return make("span", {}, text,
      parameter.is_optional ? make("span", { class: "faint" }, parameter.default ? ` (${parameter.default} by default)` : " (may be left out)") : null);
  }
}
