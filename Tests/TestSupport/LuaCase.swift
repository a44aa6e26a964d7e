/// A titled case of a test: code of Lua, and the text of its results.
package struct LuaCase: Sendable, CustomStringConvertible {
  /// The title.
  package let description: String
  package let code: String

  /// The results, or the error, as text, in which `…` stands for any text.
  package let result: String

  package init(_ title: String, _ code: String, _ result: String) {
    (description, self.code, self.result) = (title, code, result)
  }

  /// Whether a text is the result.
  package func allows(_ text: String) -> Bool { text.fits(result) }

  /// Reads cases that are written as Lua.
  ///
  /// Each is code, up to an arrow, `-->`, after which its result stands. A long result goes on in
  /// further lines that begin with an arrow. A comment before the code is the title of this case,
  /// and of those that follow without one.
  package static func list(_ text: String) -> [LuaCase] {
    var cases: [LuaCase] = []
    var title = ""
    var code: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let arrow = line.firstRange(of: "-->") else {
        if code.isEmpty, line.hasPrefix("-- ") {
          title = String(line.dropFirst(3))
        } else {
          code.append(line)
        }
        continue
      }
      let start = line[..<arrow.lowerBound]
      let result = String(line[arrow.upperBound...].dropFirst())
      if start.isEmpty, code.isEmpty, let last = cases.popLast() {
        cases.append(LuaCase(last.description, last.code, last.result + " " + result))
      } else {
        if !start.isEmpty { code.append(start.dropLast()) }
        cases.append(LuaCase(title, code.joined(separator: "\n"), result))
        code = []
      }
    }
    return cases
  }

  /// The code and the result of each case of a text.
  package static func pairs(_ text: String) -> [(String, String)] {
    list(text).map { ($0.code, $0.result) }
  }
}

extension String {
  /// Whether it is an expected text, in which `…` stands for any text.
  package func fits(_ expected: String) -> Bool {
    let parts = expected.split(separator: "…", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return self == expected }
    guard hasPrefix(parts[0]) else { return false }
    var rest = dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}
