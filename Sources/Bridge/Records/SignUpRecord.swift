public import Domain
public import Lua
public import Scripting
internal import StateStore

/// `signup.data`: assigning a field edits the record.
extension SignUp.Data: ScriptableRecord {
  /// What scripts call the record.
  public static var luaTypeName: String { "signup.data" }
  /// The record is the only one.
  public static var luaListName: String { "signup.data" }
  /// Where the record is.
  public static var luaExampleName: String { "signup.data" }

  /// Adds the topics, in place of a plain table of them.
  public static func describe(_ members: LuaClass<LiveRecord<SignUp.Data>>) {
    let path: PartialKeyPath<SignUp.Data> = \.topics
    guard let topics = fields.first(where: { $0.path as PartialKeyPath<SignUp.Data>? == path })
    else { return }
    members.property(
      topics.name, help: topics.help, example: "signup.data.topics = {\"Testing\"}",
      get: { SignUpTopics.Names.live($0.object(for: \.topics, SignUpTopics.init)) },
      set: { try $0.object(for: \.topics, SignUpTopics.init).replace(with: $1) })
  }

  /// The record as Lua text on one line, with bullets for the passwords.
  public var luaText: String {
    let texts = Self.fields.map { field in
      let literal =
        switch field.value(in: self) {
        case .text(let text): text.luaLiteral
        case .secret(let secret): secret.bullets.luaLiteral
        default: topics.luaLiteral
        }
      return "\(field.name) = \(literal)"
    }
    return "{\(texts.joined(separator: ", "))}"
  }
}
