/// The types of a feature's saved values, in a form that is saved with them: what has changed since is found by comparing it
/// with today's.
///
/// The type of a value is its name, such as "integer?" or "reference to people?"; that of a record, or of a feature, is an
/// object with those of its parts; and that of a list, set or map is a list with that of its elements. Of a part that the app
/// doesn't have any more, the name begins with a minus.
struct SavedShape: Equatable {
  private(set) var parts: [String: JSONValue]

  init(_ feature: SchemaFeature) {
    parts = [:]
    for field in feature.fields where field.restore != nil {
      parts[field.name.isEmpty ? feature.name : field.name] = Self.form(
        of: field.type, isMap: field.list?.isMap == true)
    }
  }

  init?(json: String) {
    do {
      guard case .object(let parts) = try JSONValue(text: json) else { return nil }
      self.parts = parts
    } catch {
      return nil
    }
  }

  var value: StateValue { JSONValue.object(parts).stateValue { $0 } }

  private static func form(of type: ValueType, isMap: Bool) -> JSONValue {
    guard isMap, case .list(let elements) = form(of: type) else { return form(of: type) }
    return .list(elements + [.text(mapMark)])
  }

  /// The second element of the form of a map, whose records have different keys.
  private static let mapMark = "map"

  /// The beginning of the form of a reference, before the name of its list.
  private static let referenceMark = "reference to "

  private static func form(of type: ValueType) -> JSONValue {
    switch type {
    case .any, .table: .text("any")
    case .secret: .text("secret")
    case .range(let range): form(of: range.base)
    // The same number, whatever its places.
    case .decimal: .text(ValueType.number.name)
    case .reference(let reference): .text("\(referenceMark)\(reference.list)")
    case .boolean, .integer, .number, .string, .date, .time, .text, .oneOf: .text(type.name)
    case .optional(let wrapped):
      if case .text(let name) = form(of: wrapped) {
        .text(name.hasSuffix("?") ? name : name + "?")
      } else {
        .object(["?": form(of: wrapped)])
      }
    case .record(let record):
      .object(
        Dictionary(record.parts.filter { $0.name != "id" }.map { ($0.name, form(of: $0.type)) }) {
          first, _ in first
        })
    case .list(let element), .set(let element): .list([form(of: element)])
    }
  }
}

// MARK: - Comparing

extension SavedShape {
  /// A part that the app doesn't have any more.
  struct Gone: Equatable {
    /// The path, such as "cart.items[].note".
    let path: String
    let isNew: Bool
  }

  /// The changes since a shape was saved.
  struct Comparison {
    /// The shape to be saved now, with the parts that are gone.
    fileprivate(set) var merged: SavedShape
    fileprivate(set) var gone: [Gone] = []
    /// The names of the fields whose saved values lack parts, which have their initial values.
    fileprivate(set) var incomplete: [String] = []
  }

  /// Compares the shape with that of the same feature when it was saved, by some version of it.
  ///
  /// - Throws: `StoredFormError` for a part whose values today's type doesn't have.
  func compared(
    since saved: SavedShape, of feature: SchemaFeature, version: Int
  ) throws(StoredFormError) -> Comparison {
    var comparison = Comparison(merged: self)
    let merged = try Self.compare(
      saved.parts, parts, at: feature.name, version: version, &comparison.gone)
    comparison.merged.parts = merged
    comparison.incomplete = parts.compactMap { name, form in
      saved.parts[name].map { Self.hasNewPart(form, since: $0) } == true ? name : nil
    }
    return comparison
  }

  private static func hasNewPart(_ new: JSONValue, since saved: JSONValue) -> Bool {
    switch (saved, new) {
    case (.object(let old), .object(let parts)):
      parts.contains { name, form in
        old[name].map { hasNewPart(form, since: $0) } ?? (old["-\(name)"] == nil)
      }
    case (.list(let old), .list(let elements)):
      zip(old, elements).contains { hasNewPart($1, since: $0) }
    default: false
    }
  }

  private static func compare(
    _ saved: [String: JSONValue], _ parts: [String: JSONValue], at path: String, version: Int,
    _ gone: inout [Gone]
  ) throws(StoredFormError) -> [String: JSONValue] {
    var merged = parts
    for (key, form) in saved.sorted(by: { $0.key < $1.key }) {
      let isMarked = key.hasPrefix("-")
      let name = isMarked ? String(key.dropFirst()) : key
      let place = name == path ? path : "\(path).\(name)"
      if let new = parts[name] {
        merged[name] = try compare(form, new, at: place, version: version, &gone)
      } else {
        merged["-\(name)"] = form
        gone.append(Gone(path: place, isNew: !isMarked))
      }
    }
    return merged
  }

  private static func compare(
    _ saved: JSONValue, _ new: JSONValue, at path: String, version: Int, _ gone: inout [Gone]
  ) throws(StoredFormError) -> JSONValue {
    switch (saved, new) {
    case (_, .text("any")), (_, .text("any?")): return new
    case (.text(let old), .text(let name)) where isReadable(old, as: name): return new
    case (.object(let old), .object(let parts)) where old["?"] == nil && parts["?"] == nil:
      return .object(try compare(old, parts, at: path, version: version, &gone))
    case (.object(let old), .object(let parts)):
      guard let wrapped = parts["?"] else { break }
      return .object([
        "?": try compare(old["?"] ?? saved, wrapped, at: path, version: version, &gone)
      ])
    case (.list(let old), .list(let elements)) where old.dropFirst() == elements.dropFirst():
      guard let old = old.first, let element = elements.first else { return new }
      let compared = try compare(old, element, at: path + "[]", version: version, &gone)
      return .list([compared] + elements.dropFirst())
    case (_, .object(let parts)):
      guard let wrapped = parts["?"] else { break }
      return .object(["?": try compare(saved, wrapped, at: path, version: version, &gone)])
    default: break
    }
    throw .typeChanged(path, from: phrase(saved), to: phrase(new), version: version)
  }

  /// Whether all values of a type are values of another one.
  private static func isReadable(_ old: String, as new: String) -> Bool {
    if old == new { return true }
    if new.hasSuffix("?") {
      return isReadable(
        old.hasSuffix("?") ? String(old.dropLast()) : old, as: String(new.dropLast()))
    }
    let isText = old.hasPrefix("\"") && !old.hasSuffix("?")
    if isText, new == "string" { return true }
    if isText, new.hasPrefix("\"") {
      let names = Set(new.split(separator: "|"))
      return old.split(separator: "|").allSatisfy(names.contains)
    }
    return old == "integer" && new == "number"
  }

  private static func phrase(_ form: JSONValue) -> String {
    switch form {
    case .text(let name) where name.hasSuffix("?"):
      phrase(.text(String(name.dropLast()))) + " or nothing"
    case .text("integer"): "an integer"
    case .text("boolean"): "a truth value"
    case .text("number"): "a number"
    case .text("string"): "a text"
    case .text("secret"): "a secret"
    case .text("date"): "a date"
    case .text("time"): "a time"
    case .text("any"): "any value"
    case .text(let name) where name.hasPrefix(referenceMark): "a \(name)"
    case .text(let names): "one of \(names.replacing("|", with: ", "))"
    case .list(let elements): elements.count > 1 ? "a map" : "a list"
    case .object(let parts): parts["?"].map { phrase($0) + " or nothing" } ?? "a record"
    default: "something else"
    }
  }
}

extension StoredFormError {
  fileprivate static func typeChanged(
    _ path: String, from old: String, to new: String, version: Int
  ) -> Self {
    Self(
      "other_type",
      "\(path) was \(old) and is \(new) now: declare version = \(version + 1) and migrate")
  }
}
