/// Where the prompt's lines are remembered.
enum HistoryLocation {
  /// The file that a variable names, such as PRIMEREPL_HISTORY, or one in the user's data folder; empty means nowhere.
  ///
  /// - Throws: `CommandError` where there can be no such file.
  static func path(in environment: [String: String]) throws(CommandError) -> String? {
    guard let path = environment[Console.current.variable("HISTORY")] else {
      return try DataFolder.path(of: "history", in: environment)
    }
    return path.isEmpty ? nil : try CommandError.path(path)
  }
}
