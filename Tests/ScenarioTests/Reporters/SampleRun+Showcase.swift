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

  // MARK: - Counter

  private static var counterResults: [ScenarioResult] {
    let file = "scenarios/counter.scenario.lua"
    func scenario(_ number: Int, _ names: String..., tags: [String]) -> ScenarioDescription {
      self.scenario(names, number: number, file: file, tags: tags)
    }
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
        failures: [
          ScenarioFailure(
            .timeout, "It took longer than 5 s.",
            at: location(file, 41, "expect.equal(counter.ask_nth_prime(), 59)"))
        ]),
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
    [
      TimelineEntry(
        text: "counter.set(7)", time: 0, location: location(file, 9, "counter.count = 7"),
        changes: [.init(path: "counter.count", old: "0", new: "7")]),
      TimelineEntry(
        text: "counter.ask_is_prime()", time: 0,
        location: location(file, 10, "counter.ask_is_prime()"),
        changes: [
          .init(
            path: "counter.modal", old: nil,
            new: "{button = \"Save to favorite primes\", is_favorite = false, is_prime = true, "
              + "number = 7, text = \"7 is prime 🎉\"}")
        ]),
      TimelineEntry(
        text: "favorites.add(7)", time: 0,
        location: location(file, 12, "expect.changes(counter.press_modal_button, {"),
        changes: [
          .init(path: "favorites[1]", old: nil, new: "7"),
          .init(path: "counter.modal.is_favorite", old: "false", new: "true"),
          .init(
            path: "counter.modal.button", old: "\"Save to favorite primes\"",
            new: "\"Remove from favorite primes\""),
        ]),
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
    return [
      ScenarioResult(
        scenario(1, "a failed fetch keeps the items", tags: ["todo", "async"]), .passed,
        seconds: 0.006,
        timeline: [
          TimelineEntry(
            text: "todo.add(\"milk\")", time: 0, location: location(file, 17, "todo.add(\"milk\")"),
            changes: [
              .init(path: "todo.items[1]", old: nil, new: "{done = false, id = 1, text = \"milk\"}")
            ]
          ),
          TimelineEntry(
            text: "todo.fetch_requested()", time: 0, location: fetch,
            changes: [.init(path: "todo.loading", old: "false", new: "true")]),
          TimelineEntry(
            text: "todo.fetch_failed(\"no-such-file.json\")", time: 2, location: fetch,
            changes: [
              .init(path: "todo.loading", old: "true", new: "false"),
              .init(path: "todo.error", old: nil, new: "\"no-such-file.json can't be read\""),
            ]),
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
        failures: [
          ScenarioFailure(
            .error, "todo has no field 'sort'", at: location(file, 52, "todo.sort = \"date\""))
        ]),
    ]
  }

  private static var signUpResults: [ScenarioResult] {
    let file = "scenarios/signup.scenario.lua"
    return [
      ScenarioResult(
        scenario(["signup", "topics", "one is needed"], number: 1, file: file, tags: ["signup"]),
        .passed, seconds: 0.003),
      ScenarioResult(
        scenario(
          ["signup", "topics", "can be left and edited"], number: 2, file: file, tags: ["signup"]),
        .passed, seconds: 0.003),
      ScenarioResult(
        scenario(
          ["signup", "submits", "what was entered"], number: 3, file: file,
          tags: ["signup", "async"]),
        .failed, seconds: 0.021,
        failures: [
          ScenarioFailure(
            .unfinished,
            "The scenario ended, but a task that it began is still waiting.\nAwait it, or cancel it.",
            at: location(file, 33, "task.spawn(signup.submit)"))
        ]),
    ]
  }
}
