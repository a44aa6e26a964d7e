import Scripting
import StateStore

/// The actions of a history that request something, and those that answer them.
struct RecordedRequests {
  private struct Key: Hashable {
    let feature: String
    let name: String
    let number: Int
  }

  /// For each step that requests something, its number among those whose answers don't come at once, counted from 1.
  private var numbers: [Int: Int] = [:]
  /// The steps that answer, by the steps of their requests.
  private var answers: [Int: Int] = [:]
  /// The other way round.
  private var requests: [Int: Int] = [:]
  private var steps: [Int: RequestStep] = [:]
  /// The steps that answer requests that waited, in order.
  private var late: [Int] = []
  /// The steps after which something happens before the next one.
  private let separate: Set<Int>

  /// Finds the requests among actions, one for each step.
  init(
    in actions: [StoreAction], separating separate: Set<Int>, showing secret: (Secret) -> String
  ) throws {
    self.separate = separate
    var open: [Key: Int] = [:]
    var asked: [Int] = []
    for (index, action) in actions.enumerated() {
      guard let step = try action.request(showing: secret) else { continue }
      steps[index] = step
      let key = Key(feature: step.feature, name: step.name, number: step.number)
      guard step.answer != nil else {
        open[key] = index
        asked.append(index)
        continue
      }
      guard let request = open.removeValue(forKey: key) else { continue }
      answers[request] = index
      requests[index] = request
    }
    for index in asked where !isAnsweredAtOnce(index) { numbers[index] = numbers.count + 1 }
    late = requests.filter { !isAnsweredAtOnce($0.value) }.map(\.key).sorted()
  }

  /// Whether other actions come between a request and its answer, or a request has none.
  var hasWaiting: Bool { !numbers.isEmpty }

  /// The number of a request among those that wait, counted from 1.
  func number(of index: Int) -> Int { numbers[index] ?? 0 }

  /// Whether the step after a request answers it, and nothing comes between them.
  func isAnsweredAtOnce(_ index: Int) -> Bool {
    answers[index] == index + 1 && !separate.contains(index)
  }

  /// The answer to the request of a step, and its step; nil if it has none.
  func answer(to index: Int) -> (index: Int, answer: RecordedAnswer)? {
    guard let answerIndex = answers[index], let answer = steps[answerIndex]?.answer else {
      return nil
    }
    return (answerIndex, answer)
  }

  /// The question or answer of a step; nil for another action.
  func step(at index: Int) -> RequestStep? { steps[index] }

  /// The step whose request a step answers; nil if the history doesn't have it.
  func request(answeredAt index: Int) -> Int? { requests[index] }

  /// The seconds that an answer takes in the scenario, where each late answer comes a second after the one before.
  func delay(from request: Int, to answer: Int) -> Int {
    late.count { $0 > request && $0 <= answer }
  }
}

extension RequestStep {
  /// The service's answer; nil for a question.
  var answer: RecordedAnswer? {
    switch content {
    case .asked: nil
    case .answered(let answer): .value(answer.stateValue(naming: { $0 }))
    case .failed(let message): .failure(message: message)
    }
  }
}
