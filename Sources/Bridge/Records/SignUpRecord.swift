import Domain
import Scripting
internal import StateStore
import Lua

/// `signup.data`: the record as it is at each access; assigning a field edits it.
final class SignUpRecord: LuaExposed {
  private let data: Binding<SignUp.Data>
  private let topics: SignUpTopics

  init(_ data: Binding<SignUp.Data>) {
    self.data = data
    topics = SignUpTopics(data[\.topics])
  }

  static var luaTypeName: String { "signup.data" }

  static func describe(_ members: LuaClass<SignUpRecord>) {
    addText(
      "email", \.email, help: "The email address.",
      example: "signup.data.email = \"jane@example.com\"", to: members)
    addSecret(
      "password", \.password, help: "The password; reads as bullets.",
      example: "signup.data.password = io.read()", to: members)
    addSecret(
      "password_confirmation", \.passwordConfirmation,
      help: "The password once more; reads as bullets.",
      example: "signup.data.password_confirmation = io.read()", to: members)
    addText(
      "first_name", \.firstName, help: "The first name.",
      example: "signup.data.first_name = \"Jane\"", to: members)
    addText(
      "last_name", \.lastName, help: "The last name.",
      example: "signup.data.last_name = \"Doe\"", to: members)
    addText(
      "phone_number", \.phoneNumber, help: "The phone number.",
      example: "signup.data.phone_number = \"555 0100\"", to: members)
    members.property(
      "topics",
      help: "The chosen topics, a live sequence that grows at its end; assign a table of names.",
      example: "signup.data.topics = {\"Testing\"}",
      get: { SignUpTopics.Names.live($0.topics) },
      set: { record, names in try record.topics.replace(with: names) })
    members.text { record in try text(of: record.data.get()) }
  }

  /// The record as Lua text on one line, with bullets for the passwords.
  private static func text(of data: SignUp.Data) -> String {
    let texts = [
      ("email", data.email), ("password", data.password.bullets),
      ("password_confirmation", data.passwordConfirmation.bullets),
      ("first_name", data.firstName), ("last_name", data.lastName),
      ("phone_number", data.phoneNumber),
    ]
    let fields = texts.map { name, text in "\(name) = \(text.luaLiteral)" }
    return "{\(fields.joined(separator: ", ")), topics = \(data.topics.luaLiteral)}"
  }

  private static func addText(
    _ name: String, _ part: WritableKeyPath<SignUp.Data, String>, help: String, example: String,
    to members: LuaClass<SignUpRecord>
  ) {
    members.property(
      name, help: help, example: example,
      get: { try $0.data[part].get() }, set: { try $0.data[part].set($1) })
  }

  /// Adds a field that takes a text and gives bullets.
  private static func addSecret(
    _ name: String, _ part: WritableKeyPath<SignUp.Data, Secret>, help: String, example: String,
    to members: LuaClass<SignUpRecord>
  ) {
    members.property(
      name, help: help, example: example,
      get: { try $0.data[part].get().bullets }, set: { try $0.data[part].set(Secret($1)) })
  }
}
