/// A view that shows people a part of the state in SQL: a list, or the other fields of a feature.
package struct SQLView {
  enum Content {
    case list(AnyField)
    /// The fields of a feature with this name.
    case values([AnyField], of: String)
  }

  /// No other view has it.
  package let name: String
  let content: Content

  /// The number of columns of a view: databases have limits, and other fields are in the tables.
  private static let maximumColumnCount = 1_000

  package struct Column {
    package let name: String
    package let value: Value
  }

  /// The value of a column, of which each database has an expression.
  package enum Value {
    /// The position of an element in its list.
    case position
    case id
    /// A whole element of a list, which has no parts.
    case element(AnyField)
    case part(String, ValueType?)
    /// A field, or the member of it that is shown.
    case field(AnyField)
  }

  /// The path of the list that the view shows; nil for one of values.
  package var listPath: String? { if case .list(let field) = content { field.path } else { nil } }

  /// The columns, none of which has one of the names that are taken; the length is the maximum of a name in bytes.
  package func columns(besides taken: Set<String> = [], nameLength: Int = .max) -> [Column] {
    switch content {
    case .list(let field):
      var names = SQLNames(
        besides: taken.union(["position", "id"]), suffix: "_value", length: nameLength)
      let parts = field.recordNames
      let element =
        parts.isEmpty
        ? Column(name: names.name(field.viewMember ?? "value"), value: .element(field))
        : Column(name: "id", value: .id)
      let record = field.type.element?.record
      return [Column(name: "position", value: .position), element]
        + parts.filter { $0 != "id" }.prefix(Self.maximumColumnCount).map {
          Column(name: names.name($0), value: .part($0, record?.type(ofMember: $0)))
        }
    case .values(let fields, let feature):
      var names = SQLNames(besides: taken, suffix: "_value", length: nameLength)
      return fields.prefix(Self.maximumColumnCount).map {
        Column(
          name: names.name(String($0.path.dropFirst(feature.count + 1))), value: .field($0))
      }
    }
  }
}

extension StoreSchema {
  /// The views in the order of the features; the length is the maximum of a name in bytes.
  package func views(besides taken: Set<String>, nameLength length: Int = .max) -> [SQLView] {
    var names = SQLNames(besides: taken, suffix: "_view", length: length)
    return features.flatMap { feature in
      let fields = savedFields.filter {
        $0.path == feature.name || $0.path.hasPrefix("\(feature.name).")
      }
      let lists = fields.filter(\.isList)
      var views = lists.map { SQLView(name: names.name($0.viewName), content: .list($0)) }
      let values = fields.filter { !$0.isList && $0.path != feature.name }
      // A list with the feature's name stands for the feature.
      if !values.isEmpty, !lists.contains(where: { $0.viewName == feature.name }) {
        views.append(
          SQLView(name: names.name(feature.name), content: .values(values, of: feature.name)))
      }
      return views
    }
  }
}

/// Names for the views of a database or the columns of a view, none of which is given twice.
package struct SQLNames {
  private var taken: Set<String>
  private let suffix: String
  private let length: Int

  /// The suffix is the end of a name that would be given twice; the length is the maximum of a name in bytes.
  package init(besides taken: Set<String>, suffix: String, length: Int = .max) {
    (self.taken, self.suffix, self.length) = (taken, suffix, length)
  }

  /// The name, or one like it if it isn't free: "cart_items_view", then "cart_items_view_2".
  package mutating func name(_ name: String) -> String {
    // SQLite keeps names that begin so for itself.
    let name = name.hasPrefix("sqlite_") ? "_\(name)" : name
    var candidate = Self.beginning(of: name, length: length)
    var number = 1
    // Names of SQL that differ only in case are the same.
    while !taken.insert(candidate.lowercased()).inserted {
      let end = number == 1 ? suffix : "\(suffix)_\(number)"
      candidate = Self.beginning(of: name, length: length - end.utf8.count) + end
      number += 1
    }
    return candidate
  }

  private static func beginning(of name: String, length: Int) -> String {
    var beginning = name[...]
    while beginning.utf8.count > length { beginning.removeLast() }
    return String(beginning)
  }
}
