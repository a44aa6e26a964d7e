import Domain
import Scripting
internal import StateStore

extension SignUp.Topic {
  /// The topic of a name.
  ///
  /// - Throws: `SignUpError.unknownTopic`.
  init(named name: String) throws {
    guard let topic = Self(named: name) else {
      throw SignUpError.unknownTopic(name, nearest: .nearest(to: name))
    }
    self = topic
  }
}

extension SignUp.Sheet {
  /// The sheet of a name.
  ///
  /// - Throws: `SignUpError.notEditable`.
  init(named name: String) throws {
    guard let sheet = Self(named: name) else {
      throw SignUpError.notEditable(name, nearest: .nearest(to: name))
    }
    self = sheet
  }
}

extension [SignUp.Topic] {
  /// The names as a table of Lua.
  var luaLiteral: String { "{\(map(\.rawValue.luaLiteral).joined(separator: ", "))}" }
}
