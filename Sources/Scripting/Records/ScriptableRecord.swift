public import Foundation
public import Lua
public import StateStore

/// A record of the state that scripts hold as a live object, with the fields of ``FieldRecord/fields``.
public protocol ScriptableRecord: FieldRecord {
  /// The type's name in scripts; by default, the Swift type's name in snake case: "person".
  static var luaTypeName: String { get }

  /// The type's name for lists in scripts; by default, the record's with an s: "persons".
  static var luaListName: String { get }

  /// The variable for such an object in examples; by default, the last word of ``luaTypeName``.
  static var luaExampleName: String { get }

  /// Adds members besides the fields; they replace fields of the same name.
  static func describe(_ members: LuaClass<LiveRecord<Self>>)

  /// The record as `tostring` shows it; by default, the type's name, the id and the title: "person 3: Ann".
  var luaText: String { get }

  /// The record as the prompt shows it among others, such as "★ Turtle Rock"; nil to show its fields.
  ///
  /// By default it is derived from the fields: a mark for a truth value named `is_favorite` (★ or ☆) or `done` (☑ or
  /// ☐), and the text named `name`, `title` or `text`. Without one of both there is no summary.
  var summary: String? { get }
}

extension ScriptableRecord {
  /// The Swift type's name in snake case.
  public static var luaTypeName: String { "\(Self.self)".inSnakeCase }

  /// The record's type with an s.
  public static var luaListName: String { "\(luaTypeName)s" }

  /// The type's name, the id and the title, as far as there are any.
  public var luaText: String {
    var text = Self.luaTypeName
    let value = stateValue
    if case .integer(let id)? = value["id"] { text += " \(id)" }
    if let title = value.title { text += ": \(title)" }
    return text
  }

  /// The last word of the type's name.
  public static var luaExampleName: String {
    luaTypeName.split(separator: ".").last.map(String.init) ?? luaTypeName
  }

  /// Adds nothing.
  public static func describe(_ members: LuaClass<LiveRecord<Self>>) {}

  /// The mark and the title, if there are both.
  public var summary: String? { stateValue.recordSummary }
}

extension StateValue {
  /// The text by which people know a record: that of its name, title or text.
  var title: String? {
    guard case .record(let members) = self,
      case .text(let title)? = members.first(where: { Self.titleNames.contains($0.name) })?.value
    else { return nil }
    return title
  }

  private static let titleNames = ["name", "title", "text"]

  /// A record as the prompt shows it among others: a mark and the title, if it has both.
  var recordSummary: String? {
    guard let title else { return nil }
    if case .boolean(let isFavorite)? = self["is_favorite"] {
      return "\(isFavorite ? "★" : "☆") \(title)"
    }
    if case .boolean(let isDone)? = self["done"] { return "\(isDone ? "☑" : "☐") \(title)" }
    return nil
  }
}

/// A field value that scripts can read and assign; they read other values as plain tables.
public protocol ScriptableValue: FieldValue {
  /// The type of the values that scripts read and assign.
  associatedtype LuaForm: LuaPushable & LuaReadable = Self

  /// The value for scripts.
  var luaForm: LuaForm { get }

  /// Makes a value from the one that a script assigns.
  init(luaForm: LuaForm)

  /// An example of a value, as Lua text.
  static var luaExample: String { get }
}

extension ScriptableValue where LuaForm == Self {
  /// The value itself.
  public var luaForm: Self { self }

  /// The value itself.
  public init(luaForm: Self) { self = luaForm }
}

extension Optional: ScriptableValue where Wrapped: ScriptableValue {
  /// The wrapped value for scripts, or nil.
  public var luaForm: Wrapped.LuaForm? { map(\.luaForm) }

  /// Makes a value from the one that a script assigns.
  public init(luaForm: Wrapped.LuaForm?) { self = luaForm.map(Wrapped.init(luaForm:)) }

  /// The example of the wrapped value.
  public static var luaExample: String { Wrapped.luaExample }
}

/// The name of a case, which scripts read and assign.
public struct CaseName<Case: CaseIterable & RawRepresentable<String>>: LuaPushable, LuaReadable {
  let value: Case

  /// The names in quotes, with bars between them.
  public static var luaTypeName: String { luaType.name }

  /// One of the names.
  public static var luaType: LuaValueType { .oneOf(Case.allCases.map(\.rawValue)) }

  /// Pushes the name.
  public func push(to stack: LuaStack) throws(LuaError) { try value.rawValue.push(to: stack) }

  /// Reads the name of a case.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    let name: String
    do {
      name = try String.read(from: stack, at: index)
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: error.got)
    }
    guard let value = Case(named: name) else {
      throw LuaTypeMismatch(expected: luaTypeName, got: "\"\(name.onOneLine)\"")
    }
    return Self(value: value)
  }
}

/// An enum of named cases is assigned by their names once it is declared a `ScriptableValue`.
extension ScriptableValue where Self: CaseIterable & RawRepresentable<String> {
  /// The case's name.
  public var luaForm: CaseName<Self> { CaseName(value: self) }

  /// Makes a value from the one that a script assigns.
  public init(luaForm: CaseName<Self>) { self = luaForm.value }

  /// The name of the first case, in quotes.
  public static var luaExample: String {
    allCases.first.map { "\"\($0.rawValue)\"" } ?? "nil"
  }
}

extension Int: ScriptableValue {
  /// "1".
  public static var luaExample: String { "1" }
}

extension Double: ScriptableValue {
  /// "1.5".
  public static var luaExample: String { "1.5" }
}

extension Bool: ScriptableValue {
  /// "true".
  public static var luaExample: String { "true" }
}

extension String: ScriptableValue {
  /// A text in quotes.
  public static var luaExample: String { "\"text\"" }
}

extension Date: ScriptableValue {
  /// A call that returns the current time.
  public static var luaExample: String { "os.time()" }
}

extension Secret: ScriptableValue {
  /// Bullets: scripts can assign the text, but not read it.
  public var luaForm: String { bullets }

  /// Keeps a text secret.
  public init(luaForm: String) { self.init(luaForm) }

  /// A call that reads a text instead of showing one.
  public static var luaExample: String { "io.read()" }
}
