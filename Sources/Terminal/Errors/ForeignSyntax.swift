import Scripting

extension SourceTokens {
  /// The advice on the syntax of another language, such as `x += 1`, on the line of a syntax error; nil if it is another
  /// mistake.
  func adviceOnForeignSyntax(at offset: Int) -> String? {
    guard let fault = tokens.firstIndex(where: { $0.range.upperBound > offset }) else { return nil }
    for index in tokens.indices where tokens[index].line == tokens[fault].line {
      if let advice = adviceOnOperator(index) ?? adviceOnDeclaration(index) { return advice }
    }
    return adviceOnAssignment(fault)
  }

  private func adviceOnOperator(_ index: Int) -> String? {
    guard let first = token(index), first.kind == .symbol else { return nil }
    let next = token(index + 1)
    let isPair = next?.kind == .symbol && next?.range.lowerBound == first.range.upperBound
    let pair = isPair ? String(first.text + (next?.text ?? "")) : String(first.text)
    return switch pair {
    case "!=": "Lua writes ~= for !="
    case "&&": "Lua writes and for &&"
    case "||": "Lua writes or for ||"
    case "+=", "-=", "*=", "/=", "%=": "Lua has no \(pair): write x = x \(first.text) y"
    case "++": "Lua has no ++: write x = x + 1"
    case _ where first.text == "!": "Lua writes not for !"
    default: nil
    }
  }

  private func adviceOnDeclaration(_ index: Int) -> String? {
    guard let word = name(index), ["let", "const"].contains(word), name(index + 1) != nil,
      tokens[index].line == tokens[index + 1].line
    else { return nil }
    return "Lua writes local for \(word)"
  }

  private func adviceOnAssignment(_ fault: Int) -> String? {
    guard isAssignment(fault), let left = token(fault - 1) else { return nil }
    let isFirst = token(fault - 2).map { $0.line < left.line } ?? true
    if isFirst, left.kind == .number || left.kind == .string {
      return "only a variable or a field can be assigned to, as in x = 5"
    }
    let conditions = ["if", "elseif", "while", "until"]
    let statement = tokens[..<fault].last {
      $0.kind == .word && LuaTokens.keywords.contains($0.text)
    }
    return statement.map { conditions.contains($0.text) } == true
      ? "= assigns; == compares" : nil
  }
}
