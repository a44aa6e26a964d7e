enum TerminalColors {
  /// Whether colors are shown: not with NO_COLOR, nor on a terminal whose name is known for having none.
  static func areUsed(in environment: [String: String]) -> Bool {
    environment["NO_COLOR"].map(\.isEmpty) != false && areSupported(by: environment["TERM"] ?? "")
  }

  /// Names have the form that the terminfo database gives them: `vt220-w`, `xterm-mono`, and `-m` for a monochrome kind.
  private static func areSupported(by terminal: String) -> Bool {
    let colorless =
      /dumb|unknown|sun|vt[0-9]+(-.*)?|(wy|wyse|tvi|adm)[0-9].*|.*-(m|mr|mono|nocolor)(-.*)?/
    return !terminal.isEmpty && terminal.wholeMatch(of: colorless) == nil
  }
}
