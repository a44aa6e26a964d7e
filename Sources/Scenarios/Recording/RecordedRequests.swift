import Scripting
import StateStore

/// The actions of a history that request something, and those that answer them.
struct RecordedRequests {
  private struct Key: Hashable {
    let feature: String
    let name: String
    let number: Int
  }

  /// The steps that request something, and whose answers don't come at once, in order.
  private var waiting: [Int] = []
  /// The steps that answer, by the steps of their requests.
  private var answers: [Int: Int] = [:]
  private var steps: [Int: RequestStep] = [:]
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
      if let request = open.removeValue(forKey: key) { answers[request] = index }
    }
    waiting = asked.filter { !isAnsweredAtOnce($0) }
  }

  /// Whether other actions come between a request and its answer, or a request has none.
  var hasWaiting: Bool { !waiting.isEmpty }

  /// The number of a request among those that wait, counted from 1.
  func number(of index: Int) -> Int { (waiting.firstIndex(of: index) ?? -1) + 1 }

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

  /// The step whose request waited for a step's answer; nil if the history doesn't have it.
  func request(answeredAt index: Int) -> Int? { waiting.first { answers[$0] == index } }

  /// The seconds that an answer takes in the scenario, where each late answer comes a second after the one before.
  func delay(from request: Int, to answer: Int) -> Int {
    waiting.compactMap { answers[$0] }.count { $0 > request && $0 <= answer }
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
