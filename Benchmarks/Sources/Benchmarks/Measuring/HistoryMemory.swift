/// How many bytes a large state takes, and how many its history.
struct HistoryMemory {
  let state: Int
  let history: Int

  /// The most that the project allows itself, in the bytes of the state.
  static let limit = 2.0

  var ratio: Double { Double(history) / Double(state) }
}
