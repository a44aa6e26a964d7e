public import Lua
public import StateStore

/// A record of the state that scripts hold as a live object, whose fields follow from ``FieldRecord/fields``.
public protocol ScriptableRecord: FieldRecord {
  /// What scripts call such an object: "person".
  static var luaTypeName: String { get }

  /// What scripts call the list of them: "persons".
  static var luaListName: String { get }

  /// The variable that stands for such an object in examples; unless given, the last word of ``luaTypeName``.
  static var luaExampleName: String { get }

  /// Adds what scripts see besides the fields, or in place of one of the same name.
  static func describe(_ members: LuaClass<LiveRecord<Self>>)

  /// The record as `tostring` shows it.
  var luaText: String { get }
}

extension ScriptableRecord {
  /// The last word of the type's name.
  public static var luaExampleName: String {
    luaTypeName.split(separator: ".").last.map(String.init) ?? luaTypeName
  }

  /// Adds nothing.
  public static func describe(_ members: LuaClass<LiveRecord<Self>>) {}
}

/// A value of a field that scripts can read and assign; others they read as plain tables.
public protocol ScriptableValue: FieldValue {
  /// What scripts read and assign.
  associatedtype LuaForm: LuaPushable & LuaReadable = Self

  /// The value for scripts.
  var luaForm: LuaForm { get }

  /// Makes a value of what a script assigns.
  init(luaForm: LuaForm)

  /// A value in an example, as Lua text.
  static var luaExample: String { get }
}

extension ScriptableValue where LuaForm == Self {
  /// The value itself.
  public var luaForm: Self { self }

  /// The value itself.
  public init(luaForm: Self) { self = luaForm }
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

extension Secret: ScriptableValue {
  /// Bullets: scripts assign the text, and can't read it.
  public var luaForm: String { bullets }

  /// Keeps a text secret.
  public init(luaForm: String) { self.init(luaForm) }

  /// Something that reads a text and doesn't show it.
  public static var luaExample: String { "io.read()" }
}
