// The page of an app: a tab for each feature, its history beside it, and a console below.
import { ask, listen } from "./server.js";
import { make } from "./elements.js";
import { FeatureView } from "./feature.js";
import { HistoryView } from "./history.js";
import { ConsoleView } from "./console.js";

const find = (id) => document.getElementById(id);

/** What is shown, and what all parts of the page need. */
class PageView {
  /** The action after which the app is shown; undefined for the present. */
  at = undefined;
  moment = { position: 0, first: 0, last: 0 };
  isWritable = true;
  isConnected = true;

  get canChange() { return this.isWritable && this.at === undefined; }

  async start() {
    const description = await ask("describe");
    document.title = description.title;
    find("title").textContent = description.title;
    this.features = description.features;
    this.isWritable = !description.is_read_only;
    this.moment = description.moment;
    find("console").hidden = description.is_read_only;
    this.history = new HistoryView(this);
    this.console = new ConsoleView();
    find("tabs").replaceChildren(...this.features.map((feature) => make("button", {
      type: "button", role: "tab", "aria-selected": "false", onclick: () => { location.hash = feature.name; },
    }, feature.name)));
    find("undo").addEventListener("click", () => this.travel("undo"));
    find("redo").addEventListener("click", () => this.travel("redo"));
    addEventListener("hashchange", () => this.openFeature());
    addEventListener("keydown", (event) => this.pressed(event));
    await this.openFeature();
    listen({
      changed: (moment) => { this.moment = moment; this.show(); },
      output: (text) => this.console.add(text.replace(/\n$/, "")),
      connected: (isConnected) => this.noteConnection(isConnected),
    });
  }

  async openFeature() {
    const name = decodeURIComponent(location.hash.slice(1));
    const feature = this.features.find((feature) => feature.name === name) ?? this.features[0];
    if (!feature) return;
    for (const tab of find("tabs").children) {
      tab.setAttribute("aria-selected", String(tab.textContent === feature.name));
    }
    this.feature = new FeatureView(feature, this);
    find("feature").replaceChildren(this.feature.element);
    await this.show();
  }

  /** Shows the moment that is looked at, or the present. One at a time: what changed meanwhile is shown afterwards. */
  async show() {
    this.isStale = true;
    if (this.isShowing) return;
    this.isShowing = true;
    while (this.isStale) {
      this.isStale = false;
      try {
        await Promise.all([this.feature?.show(), this.history.show()]);
      } catch (refusal) {
        if (refusal.code !== "lost") this.report(refusal);
      }
    }
    this.isShowing = false;
  }

  lookAt(number) {
    const wasPresent = this.at === undefined;
    this.at = number === this.moment.position ? undefined : number;
    document.body.classList.toggle("past", this.at !== undefined);
    this.history.showMoment();
    if (wasPresent !== (this.at === undefined)) this.openFeature(); else this.show();
  }

  async travel(way) {
    const problem = await this.attempt(way, {});
    if (problem) this.report(problem);
  }

  /** Asks for a change, and returns why it is refused; undefined if it isn't. */
  async attempt(name, question) {
    try {
      await ask(name, question);
      return undefined;
    } catch (refusal) {
      return refusal;
    }
  }

  /** The first records of a list as choices: their ids and labels. */
  async choices(path) {
    const field = this.features.flatMap((feature) => feature.fields).find((field) => field.path === path);
    const answer = await ask("records", { path, count: 200 });
    return answer.rows.map((row) => [String(row.id), String(row[field?.label] ?? `#${row.id}`)]);
  }

  /** The labels for a value of a type that refers to records. */
  async labels(type) {
    if (type.is !== "reference") return {};
    return { [type.list]: Object.fromEntries(await this.choices(type.list)) };
  }

  report(problem) {
    find("status").textContent = problem.message;
    find("status").classList.add("bad");
    clearTimeout(this.reportTimer);
    this.reportTimer = setTimeout(() => this.noteConnection(this.isConnected), 8000);
  }

  noteConnection(isConnected) {
    this.isConnected = isConnected;
    find("status").classList.toggle("bad", !isConnected);
    find("status").textContent = !isConnected ? "The connection to the app is lost. It is tried again …"
      : this.isWritable ? "" : "This page only shows the app.";
  }

  pressed(event) {
    const isTyping = event.target.matches("input, select, textarea");
    if (event.key === "Escape" && this.at !== undefined) return this.lookAt(undefined);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const tab = find("tabs").children[Number(event.key) - 1];
    if (tab) tab.click();
    else if (event.key === "?") find("keys").showModal();
    else if (event.key === "z") find("undo").click();
    else if (event.key === "y") find("redo").click();
    else if (event.key === "/") { event.preventDefault(); find("search").focus(); }
    else if (event.key === ":") { event.preventDefault(); find("code").focus(); }
  }
}

new PageView().start().catch((problem) => {
  find("status").textContent = problem.message;
  find("status").classList.add("bad");
});
