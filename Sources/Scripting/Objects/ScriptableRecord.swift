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
  static func describe(_ members: RecordMembers<Self>)

  /// The record as `tostring` shows it; by default, the type's name, the id and the title: "person 3: Ann".
  var luaText: String { get }
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
  public static func describe(_ members: RecordMembers<Self>) {}
}

extension AnyField {
  /// The type of the records of a list, or of a record, if scripts get them as objects.
  var scriptableType: (any ScriptableRecord.Type)? { swiftType as? any ScriptableRecord.Type }
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

  /// A record as the prompt shows it among others, such as "★ Turtle Rock"; nil to show its fields.
  ///
  /// It has a mark for a truth value named `is_favorite` (★ or ☆) or `done` (☑ or ☐), and the text named `name`, `title`
  /// or `text`. Without one of both there is no summary.
  var recordSummary: String? {
    guard let title else { return nil }
    if case .boolean(let isFavorite)? = self["is_favorite"] {
      return "\(isFavorite ? "★" : "☆") \(title)"
    }
    if case .boolean(let isDone)? = self["done"] { return "\(isDone ? "☑" : "☐") \(title)" }
    return nil
  }
}
