import Foundation

@testable import Scenarios

extension SampleRun {
  /// A run of the app's own scenarios as it might be, for the browser and for screenshots.
  static var showcase: SampleRun {
    var run = SampleRun(counterResults + todoResults + signUpResults, problems: [problem])
    run.plan.programVersion = "0.4.0"
    run.plan.date = Date(timeIntervalSince1970: 1_795_608_000)
    run.summary.notes = ["2 snapshots written"]
    return run
  }

  /// An action of a file's scenario, with its changes as paths, old and new values.
  private static func entry(
    _ text: String, time: Double = 0, at location: SourceLocation,
    _ changes: (path: String, old: String?, new: String?)...
  ) -> TimelineEntry {
    TimelineEntry(
      text: text, time: time, location: location,
      changes: changes.map { .init(path: $0.path, old: $0.old, new: $0.new) })
  }

  // MARK: - Counter

  private static var counterResults: [ScenarioResult] {
    let file = "scenarios/counter.scenario.lua"
    func scenario(_ number: Int, _ names: String..., tags: [String]) -> ScenarioDescription {
      self.scenario(names, number: number, file: file, tags: tags)
    }
    let nthPrime = location(file, 41, "expect.equal(counter.ask_nth_prime(), 59)")
    return [
      ScenarioResult(
        scenario(1, "the counter starts at zero", tags: ["counter"]), .passed, seconds: 0.001),
      ScenarioResult(
        scenario(2, "prime card", "a prime can be saved from it", tags: ["counter", "favorites"]),
        .failed, seconds: 0.004, failures: [cardFailure(file)], timeline: cardTimeline(file),
        output: "asking for 7\n"),
      ScenarioResult(
        scenario(3, "prime card", "says when a number isn't prime", tags: ["counter"]), .passed,
        seconds: 0.002, timeline: Array(cardTimeline(file).prefix(2))),
      ScenarioResult(
        scenario(4, "nth prime", "is asked of the service", tags: ["counter", "async"]), .flaky,
        seconds: 0.312, attempts: 2,
        failures: [ScenarioFailure(.timeout, "It took longer than 5 s.", at: nthPrime)]),
    ]
  }

  private static func cardFailure(_ file: String) -> ScenarioFailure {
    ScenarioFailure(
      .expectation, "The state changed in other ways than expected.",
      at: location(file, 12, "expect.changes(counter.press_modal_button, {"),
      callers: [location("scenarios/steps.lua", 8, "save_current_prime()")],
      differences: [
        ValueDifference(path: "favorites[1]", expected: nil, actual: "7"),
        ValueDifference(
          path: "counter.modal.button", expected: "\"Remove from favorites\"",
          actual: "\"Remove from favorite primes\""),
        ValueDifference(path: "counter.modal.is_favorite", expected: "false", actual: "true"),
      ])
  }

  private static func cardTimeline(_ file: String) -> [TimelineEntry] {
    let card =
      "{button = \"Save to favorite primes\", is_favorite = false, is_prime = true, "
      + "number = 7, text = \"7 is prime 🎉\"}"
    return [
      entry(
        "counter.set(7)", at: location(file, 9, "counter.count = 7"), ("counter.count", "0", "7")),
      entry(
        "counter.ask_is_prime()", at: location(file, 10, "counter.ask_is_prime()"),
        ("counter.modal", nil, card)),
      entry(
        "favorites.add(7)", at: location(file, 12, "expect.changes(counter.press_modal_button, {"),
        ("favorites[1]", nil, "7"), ("counter.modal.is_favorite", "false", "true"),
        (
          "counter.modal.button", "\"Save to favorite primes\"", "\"Remove from favorite primes\""
        )),
    ]
  }

  // MARK: - Todo and sign-up

  private static var todoResults: [ScenarioResult] {
    let file = "scenarios/todo.scenario.lua"
    func scenario(
      _ number: Int, _ name: String, tags: [String], mode: ScenarioDescription.Mode = .run,
      reason: String? = nil
    ) -> ScenarioDescription {
      self.scenario(
        ["todo", name], number: number, file: file, tags: tags, mode: mode, reason: reason)
    }
    let fetch = location(file, 18, "local t = task.spawn(todo.fetch, \"no-such-file.json\")")
    let sorting = location(file, 52, "todo.sort = \"date\"")
    return [
      ScenarioResult(
        scenario(1, "a failed fetch keeps the items", tags: ["todo", "async"]), .passed,
        seconds: 0.006,
        timeline: [
          entry(
            "todo.add(\"milk\")", at: location(file, 17, "todo.add(\"milk\")"),
            ("todo.items[1]", nil, "{done = false, id = 1, text = \"milk\"}")),
          entry("todo.fetch_requested()", at: fetch, ("todo.loading", "false", "true")),
          entry(
            "todo.fetch_failed(\"no-such-file.json\")", time: 2, at: fetch,
            ("todo.loading", "true", "false"),
            ("todo.error", nil, "\"no-such-file.json can't be read\"")),
        ]),
      ScenarioResult(
        scenario(2, "a query narrows the list", tags: ["todo"]), .passed, seconds: 0.002),
      ScenarioResult(
        scenario(
          3, "items are fetched from the service", tags: ["todo", "async"],
          mode: .skip, reason: "needs --live"), .skipped, attempts: 0),
      ScenarioResult(
        scenario(
          4, "items can be sorted by date", tags: ["todo"], mode: .todo, reason: "issue 42"), .todo,
        seconds: 0.001,
        failures: [ScenarioFailure(.error, "todo has no field 'sort'", at: sorting)]),
    ]
  }

  private static var signUpResults: [ScenarioResult] {
    func scenario(_ number: Int, _ names: String..., tags: [String]) -> ScenarioDescription {
      self.scenario(
        ["signup"] + names, number: number, file: "scenarios/signup.scenario.lua", tags: tags)
    }
    let failure = ScenarioFailure(
      .unfinished,
      "The scenario ended, but a task that it began is still waiting.\nAwait it, or cancel it.",
      at: location("scenarios/signup.scenario.lua", 33, "task.spawn(signup.submit)"))
    return [
      ScenarioResult(
        scenario(1, "topics", "one is needed", tags: ["signup"]), .passed, seconds: 0.003),
      ScenarioResult(
        scenario(2, "topics", "can be left and edited", tags: ["signup"]), .passed,
        seconds: 0.003),
      ScenarioResult(
        scenario(3, "submits", "what was entered", tags: ["signup", "async"]), .failed,
        seconds: 0.021, failures: [failure]),
    ]
  }
}
