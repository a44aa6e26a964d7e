import Scripting

/// A call that is being typed: what is called, and which argument comes at the end of the text.
struct CallSite {
  /// The expression of the function.
  let callee: LuaExpression
  /// The position of the argument, counted from 0.
  let argument: Int
  /// The index of the first token of the table that the argument is, if the text ends in one.
  private(set) var table: Int?

  /// The innermost call in whose parentheses a text ends; nil if there is none, or a function's body is between.
  init?(atEndOf blocks: LuaBlocks) {
    for opener in blocks.open.reversed() {
      switch opener.closer {
      case ")":
        guard let callee = blocks.source.callee(before: opener.index) else { continue }
        (self.callee, argument) = (callee, opener.commaCount)
        return
      case "}", "]": continue
      default: return nil
      }
    }
    return nil
  }

  /// The call that has a string that begins at a token as an argument, with parentheses or without.
  init?(ofStringIn source: SourceTokens, at string: Int) {
    let open = LuaBlocks(source, before: string).open.last
    if source.endsPrefix(string - 1), let callee = source.callee(before: string) {
      (self.callee, argument) = (callee, 0)
    } else if let open, open.closer == ")", let callee = source.callee(before: open.index),
      open.index == string - 1 || source.isSymbol(string - 1, ",")
    {
      (self.callee, argument) = (callee, open.commaCount)
    } else {
      return nil
    }
  }

  /// The call that has a table as an argument whose next key comes at a token.
  init?(ofTableIn source: SourceTokens, before end: Int) {
    let open = LuaBlocks(source, before: end).open
    guard let table = open.last, table.closer == "}",
      table.index == end - 1 || source.isSymbol(end - 1, ",") || source.isSymbol(end - 1, ";")
    else { return nil }
    if let callee = source.callee(before: table.index) {
      (self.callee, argument) = (callee, 0)
    } else if let call = open.dropLast().last, call.closer == ")",
      let callee = source.callee(before: call.index),
      call.index == table.index - 1 || source.isSymbol(table.index - 1, ",")
    {
      (self.callee, argument) = (callee, call.commaCount)
    } else {
      return nil
    }
    self.table = table.index
  }
}

extension SourceTokens {
  /// The expression before the arguments of a call; nil if there is none, or a function is being defined.
  fileprivate func callee(before arguments: Int) -> LuaExpression? {
    guard endsPrefix(arguments - 1), let start = expressionStart(endingAt: arguments - 1),
      !isWord(start - 1, "function")
    else { return nil }
    return expression(endingAt: arguments - 1)
  }
}
