import Scripting

/// A call that is being typed: what is called, and which argument comes at the end of the text.
struct CallSite {
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
    self.init(ofArgumentIn: source, at: string, LuaBlocks(source, before: string).open.last)
  }

  /// The call that has a table as an argument whose next key comes at a token.
  init?(ofTableIn source: SourceTokens, before end: Int) {
    let open = LuaBlocks(source, before: end).open
    guard let table = open.last, table.closer == "}",
      table.index == end - 1 || source.isSymbol(end - 1, ",") || source.isSymbol(end - 1, ";")
    else { return nil }
    self.init(ofArgumentIn: source, at: table.index, open.dropLast().last)
    self.table = table.index
  }

  /// The call that has what begins at a token as an argument; `opener` is the innermost bracket or word before it.
  private init?(ofArgumentIn source: SourceTokens, at start: Int, _ opener: LuaBlocks.Opener?) {
    if let callee = source.callee(before: start) {
      (self.callee, argument) = (callee, 0)
    } else if let opener, opener.closer == ")", let callee = source.callee(before: opener.index),
      opener.index == start - 1 || source.isSymbol(start - 1, ",")
    {
      (self.callee, argument) = (callee, opener.commaCount)
    } else {
      return nil
    }
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
