import StateStore

/// Which actions of a history request something, and which answer them.
struct RecordedRequests {
  private struct Key: Hashable {
    let feature: String
    let request: Int
  }

  /// For each step that requests something, its number among those whose answers don't come at once, counted from 1.
  private var numbers: [Int: Int] = [:]
  /// The steps that answer, by the steps of their requests.
  private var answers: [Int: Int] = [:]
  /// The other way round.
  private var requests: [Int: Int] = [:]
  private var values: [Int: RecordedAnswer] = [:]
  /// The steps that answer requests that waited, in order.
  private var late: [Int] = []
  /// The steps after which something happens before the next one.
  private let separate: Set<Int>

  /// Finds the requests among actions.
  ///
  /// - Parameters:
  ///   - actions: The actions, one for each step.
  ///   - separate: The steps that can't be one with the next.
  ///   - secrets: Gives the texts to write for secrets.
  init(in actions: [StoreAction], separating separate: Set<Int>, _ secrets: SecretPlaceholders) {
    self.separate = separate
    var open: [Key: Int] = [:]
    var asked: [Int] = []
    for (index, action) in actions.enumerated() {
      guard let feature = action.feature as? any ScriptableFeature.Type else { continue }
      switch Self.replay(of: action, in: feature, secrets) {
      case .request(let request)?:
        open[Key(feature: feature.name, request: request)] = index
        asked.append(index)
      case .answer(let request, let value)?:
        note(
          .value(value), at: index,
          to: &open[Key(feature: feature.name, request: request)])
      case .failure(let request, let message)?:
        note(
          .failure(message: message), at: index,
          to: &open[Key(feature: feature.name, request: request)])
      case .code, .function, nil: break
      }
    }
    for index in asked where !isAnsweredAtOnce(index) { numbers[index] = numbers.count + 1 }
    late = requests.filter { !isAnsweredAtOnce($0.value) }.map(\.key).sorted()
  }

  private static func replay<F: ScriptableFeature>(
    of action: StoreAction, in feature: F.Type, _ secrets: SecretPlaceholders
  ) -> ActionReplay? {
    action.action(of: feature).map { F.replay(of: $0, secrets) }
  }

  private mutating func note(_ answer: RecordedAnswer, at index: Int, to request: inout Int?) {
    values[index] = answer
    guard let asked = request else { return }
    request = nil
    answers[asked] = index
    requests[index] = asked
  }

  /// Whether other actions come between a request and its answer, or a request has none.
  var haveWaiting: Bool { !numbers.isEmpty }

  /// The number of a request among those that wait, counted from 1.
  func number(of index: Int) -> Int { numbers[index] ?? 0 }

  /// Whether the step after a request answers it, and nothing comes between them.
  func isAnsweredAtOnce(_ index: Int) -> Bool {
    answers[index] == index + 1 && !separate.contains(index)
  }

  /// The answer to the request of a step, and its step; nil if it has none.
  func answer(to index: Int) -> (index: Int, answer: RecordedAnswer)? {
    guard let answer = answers[index], let value = values[answer] else { return nil }
    return (answer, value)
  }

  func answer(at index: Int) -> RecordedAnswer? { values[index] }

  /// The step whose request a step answers; nil if the history doesn't have it.
  func request(answeredAt index: Int) -> Int? { requests[index] }

  /// The seconds that an answer takes in the scenario, where each late answer comes a second after the one before.
  func delay(from request: Int, to answer: Int) -> Int {
    late.count { $0 > request && $0 <= answer }
  }
}
