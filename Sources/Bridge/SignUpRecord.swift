import Lua
public import PrimereplDomain
public import Scripting
import StateStore

/// `signup.data`: assigning a field edits the record.
extension SignUp.Data: ScriptableRecord {
  /// The record's name in scripts.
  public static var luaTypeName: String { "signup.data" }
  /// The record's name in examples.
  public static var luaExampleName: String { "signup.data" }

  /// Makes the topics a live sequence, in place of a plain table.
  public static func describe(_ members: RecordMembers<SignUp.Data>) {
    members.object(
      for: \.topics, example: "signup.data.topics = {\"Testing\"}", SignUpTopics.init
    ) { topics, names in try topics.replace(with: names) }
  }

  /// The record as Lua text on one line, with bullets for the passwords.
  public var luaText: String { stateValue.luaLiteral }
}

/// `signup.data.topics`: the names of the chosen topics as a sequence; each access reads the current ones.
///
/// Every change leaves each topic chosen once. So assigning an already chosen topic to an element exchanges the two:
/// `table.remove` and `table.sort` move elements one assignment at a time.
final class SignUpTopics: LuaExposed {
  private let chosen: StateBinding<[SignUp.Topic]>

  init(_ chosen: StateBinding<[SignUp.Topic]>) { self.chosen = chosen }

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
  /// A value to assign to topics: such a sequence, also of another app, or a table of names.
  enum Names: LuaReadable {
    case live(SignUpTopics)
    case list([String])

    static var luaTypeName: String { luaType.name }
    static var luaType: LuaValueType { [String].luaType }

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
  }
}

extension SignUp.Topic {
  init(named name: String) throws {
    guard let topic = Self(named: name) else {
      throw SignUpError.unknownTopic(name, nearest: .nearest(to: name))
    }
    self = topic
  }
}

extension SignUp.Sheet {
  init(named name: String) throws {
    guard let sheet = Self(named: name) else {
      throw SignUpError.notEditable(name, nearest: .nearest(to: name))
    }
    self = sheet
  }
}

extension [SignUp.Topic] {
  var luaLiteral: String { "{\(map(\.rawValue.luaLiteral).joined(separator: ", "))}" }
}
