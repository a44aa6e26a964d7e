import Lua

/// A class exposed to Lua as a sequence of words.
final class Words: LuaExposed {
  var words: [String]

  init(_ words: String...) { self.words = words }

  static var luaTypeName: String { "words" }

  static func describe(_ members: LuaClass<Words>) {
    members.sequence(count: { $0.words.count }, element: { $0.words[$1] })
    members.method("add", "word", help: "Adds.", example: "w:add('a')") { (list, word: String) in
      list.words.append(word)
    }
  }
}
