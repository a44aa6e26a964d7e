/// Where the prompt's lines are remembered.
enum HistoryLocation {
  /// PRIMEREPL_HISTORY, or a file in the user's data folder; an empty PRIMEREPL_HISTORY means nowhere.
  ///
  /// - Throws: `CommandError` where there can be no such file.
  static func path(in environment: [String: String]) throws(CommandError) -> String? {
    guard let path = environment["PRIMEREPL_HISTORY"] else {
      return try DataFolder.path(of: "history", in: environment)
    }
    return path.isEmpty ? nil : try CommandError.path(path)
  }
}
