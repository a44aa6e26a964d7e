/// Where the prompt's lines are remembered.
enum HistoryLocation {
  /// PRIMEREPL_HISTORY, or a file in the user's data folder; an empty PRIMEREPL_HISTORY means nowhere.
  static func path(in environment: [String: String]) -> String? {
    guard let path = environment["PRIMEREPL_HISTORY"] else {
      return DataFolder.path(of: "history", in: environment)
    }
    return path.isEmpty ? nil : path
  }
}
