import Domain
import Scripting
internal import StateStore
import Lua

/// `signup.data.topics`: the names of the chosen topics as they are at each access, as a sequence.
///
/// Every change leaves each topic chosen once. That is why assigning a topic that is chosen already to an element
/// exchanges the two: `table.remove` and `table.sort` move elements one assignment at a time.
final class SignUpTopics: LuaExposed {
  private let chosen: Binding<[SignUp.Topic]>

  init(_ chosen: Binding<[SignUp.Topic]>) { self.chosen = chosen }

  static var luaTypeName: String { "signup.data.topics" }

  static func describe(_ members: LuaClass<SignUpTopics>) {
    members.sequence(
      count: { try $0.chosen.get().count },
      element: { try $0.chosen.get()[$1].rawValue },
      set: { topics, position, name in
        let topic = try SignUp.Topic(named: name)
        try topics.change { chosen in
          if let other = chosen.firstIndex(of: topic) {
            chosen.swapAt(position, other)
          } else {
            chosen[position] = topic
          }
        }
      },
      append: { topics, name in
        let topic = try SignUp.Topic(named: name)
        try topics.change { $0.append(topic) }
      },
      removeLast: { topics in try topics.change { $0.removeLast() } })
    members.text { topics in try topics.chosen.get().map(\.rawValue).joined(separator: ", ") }
  }

  /// Makes topics of these names the chosen ones.
  func replace(with names: Names) throws {
    switch names {
    case .live(let topics): try chosen.set(topics.chosen.get())
    case .list(let names): try chosen.set(names.map(SignUp.Topic.init(named:)))
    }
  }

  private func change(_ change: (inout [SignUp.Topic]) -> Void) throws {
    var topics = try chosen.get()
    change(&topics)
    try chosen.set(topics)
  }
}

extension SignUpTopics {
  /// What can be assigned to topics: the sequence itself, also of another app, or a table of names.
  enum Names: LuaReadable, LuaPushable {
    case live(SignUpTopics)
    case list([String])

    static var luaTypeName: String { "string[]" }

    static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
      guard stack.type(at: index) == .userdata else {
        return .list(try [String].read(from: stack, at: index))
      }
      do {
        return .live(try SignUpTopics.read(from: stack, at: index))
      } catch {
        throw LuaTypeMismatch(expected: luaTypeName, got: error.got)
      }
    }

    func push(to stack: LuaStack) throws(LuaError) {
      switch self {
      case .live(let topics): try topics.push(to: stack)
      case .list(let names): try names.push(to: stack)
      }
    }
  }
}
