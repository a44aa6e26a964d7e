/// Where own actions are now that are done again on top of what others did.
///
/// Others' actions stand before them, and own ones that can't be done any more have no numbers of their own.
struct Renumbering {
  /// The position in the history as it was.
  private var position: Int
  /// The positions now, by those in the history as it was.
  private var positions: [Int: Int]
  /// By how much the numbers of earlier actions are greater now, or nil where one may not go back to them.
  private let earlierShift: Int?

  /// Begins where own actions begin.
  ///
  /// - Parameters:
  ///   - old: The position before them, as it was.
  ///   - new: The position before them now.
  ///   - earlierShift: By how much the numbers of earlier actions are greater now; nil where others have acted since.
  init(from old: Int, to new: Int, earlierShift: Int?) {
    position = old
    positions = [old: new]
    self.earlierShift = earlierShift
  }

  /// The event with the numbers of now.
  ///
  /// - Throws: `StoreError.actedElsewhere` where it would take back what others did.
  func renumbered(_ event: JournalEntry.Event, at position: Int) throws -> JournalEntry.Event {
    guard case .travel(let target) = event else { return event }
    if let new = positions[target] { return .travel(to: new) }
    guard let earlierShift else { throw StoreError.actedElsewhere(number: position) }
    return .travel(to: target + earlierShift)
  }

  /// Notes where an event has led, which could be done or couldn't.
  mutating func note(_ event: JournalEntry.Event, at new: Int) {
    switch event {
    case .action: position += 1
    case .travel(let target): position = target
    }
    positions[position] = new
  }
}
