// A list as a table: only the rows in sight are asked for, whatever the length of the list.
import { ask } from "./server.js";
import { input, isNumeric, make, shown, typed } from "./elements.js";

const rowHeight = 34;
const pageSize = 100;

/** The table of a list, a set or a map; `view` says what moment is shown, and shows errors. */
export class ListTable {
  constructor(field, view) {
    this.field = field;
    this.view = view;
    this.sort = undefined;
    this.descending = false;
    this.filter = "";
    this.offset = 0;
    this.columns = field.columns.length
      ? field.columns : [{ name: "value", type: { is: "other" }, is_editable: false }];
    this.count = make("span", { class: "faint" });
    this.head = make("tr", {}, ...this.columns.map((column) => this.heading(column)));
    this.body = make("tbody");
    this.rows = make("div", { class: "rows", tabindex: "0", onscroll: () => this.scrolled() },
      make("table", {}, make("thead", {}, this.head), this.body));
    const search = make("input", { type: "search", oninput: () => this.search(search.value) });
    this.element = make("section", { class: "list" },
      make("div", { class: "bar" }, make("h3", {}, field.name), this.count,
        make("label", { class: "search" }, "Filter ", search)),
      field.help ? make("p", { class: "help" }, field.help) : null, this.rows);
  }

  heading(column) {
    return make("th", { class: isNumeric(column.type) ? "number" : "", scope: "col" },
      make("button", { type: "button", onclick: () => this.sortBy(column.name) }, column.name));
  }

  sortBy(name) {
    this.descending = this.sort === name && !this.descending;
    this.sort = name;
    for (const [index, column] of this.columns.entries()) {
      const order = column.name !== name ? "none" : this.descending ? "descending" : "ascending";
      this.head.children[index].setAttribute("aria-sort", order);
    }
    this.show();
  }

  search(text) {
    this.filter = text;
    this.rows.scrollTop = 0;
    this.offset = 0;
    this.show();
  }

  scrolled() {
    const first = Math.floor(this.rows.scrollTop / rowHeight);
    const offset = Math.max(0, first - pageSize / 3 | 0);
    if (Math.abs(offset - this.offset) < pageSize / 4) return;
    this.offset = offset;
    this.show();
  }

  /** Asks for the rows in sight, and shows them unless somebody edits one. */
  async show() {
    if (this.body.querySelector("input, select")) return;
    this.asked = (this.asked ?? 0) + 1;
    const asked = this.asked;
    const answer = await ask("records", {
      path: this.field.path, offset: this.offset, count: pageSize, sort: this.sort, descending: this.descending,
      filter: this.filter, at: this.view.at,
    });
    if (asked !== this.asked) return;
    this.offset = answer.offset;
    this.count.textContent = answer.found === answer.total
      ? answer.total.toLocaleString() : `${answer.found.toLocaleString()} of ${answer.total.toLocaleString()}`;
    const space = (rows) => {
      const cell = make("td", { colspan: this.columns.length });
      cell.style.height = `${rows * rowHeight}px`;
      return make("tr", { class: "space", "aria-hidden": "true" }, cell);
    };
    const below = answer.found - answer.offset - answer.rows.length;
    this.body.replaceChildren(
      ...answer.offset ? [space(answer.offset)] : [],
      ...answer.rows.map((row) => this.row(row, answer.labels)), ...below > 0 ? [space(below)] : []);
  }

  row(row, labels) {
    return make("tr", {}, ...this.columns.map((column) => {
      const value = row[column.name];
      const canEdit = column.is_editable && this.view.canChange;
      const cell = make("td", {
        class: [isNumeric(column.type) ? "number" : "", canEdit ? "editable" : ""].join(" ").trim(),
        tabindex: canEdit ? "0" : undefined, title: canEdit ? "Enter edits" : undefined,
      }, column.name === "id" && this.field.kind === "list"
        ? make("button", {
          type: "button", title: "Shows what was done to it",
          onclick: () => this.view.history.showRecord(this.field.path, value),
        }, String(value))
        : shown(value, column.type, labels));
      if (canEdit) {
        const edit = () => this.edit(cell, row.id, column, value);
        cell.addEventListener("dblclick", edit);
        cell.addEventListener("keydown", (event) => {
          if (event.key === "Enter" && event.target === cell) { event.preventDefault(); edit(); }
        });
      }
      return cell;
    }));
  }

  async edit(cell, id, column, value) {
    if (cell.firstElementChild) return;
    const choices = column.type.is === "reference" ? await this.view.choices(column.type.list) : [];
    const element = input(column.type, value, { choices, "aria-label": column.name });
    cell.replaceChildren(element);
    element.focus();
    let isDone = false;
    const end = async (isKept) => {
      if (isDone) return;
      isDone = true;
      let problem;
      if (isKept && typed(element) !== String(value ?? "")) {
        problem = await this.view.attempt("set", { path: this.field.path, id, part: column.name, value: typed(element) });
      }
      element.remove();
      if (problem) this.view.report(problem);
      await this.show();
    };
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); end(true); }
      if (event.key === "Escape") { event.stopPropagation(); end(false); }
    });
    element.addEventListener("blur", () => end(true));
    if (element.tagName === "SELECT" || element.type === "checkbox") element.addEventListener("change", () => end(true));
  }
}
