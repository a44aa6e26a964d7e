import Lua

/// A class exposed to Lua as a sequence of words that scripts can change.
final class MutableWords: LuaExposed {
  var words: [String]

  private let token: LifeCounter.Token

  init(_ words: String..., of counter: LifeCounter = LifeCounter()) {
    self.words = words
    token = counter.token()
  }

  static var luaTypeName: String { "words" }

  static func describe(_ members: LuaClass<MutableWords>) {
    members.sequence(
      count: { $0.words.count }, element: { $0.words[$1] }, set: { $0.words[$1] = $2 },
      append: { $0.words.append($1) }, removeLast: { $0.words.removeLast() })
  }
}
