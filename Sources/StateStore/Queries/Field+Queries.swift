// Queries of features of Swift types: fields that follow the changes of a list.

extension Field {
  /// A list of the feature: the key path of a stored property.
  public typealias ListPath<Element: Record> = any WritableKeyPath<F.State, RecordList<Element>>
    & Sendable

  /// The sum of a number of the records of a list, without rounding errors on the way.
  ///
  /// A value depends on nothing but its record, as it is only asked for again when the record changes. For scripts, a sum
  /// beyond the range of integers is nil.
  public static func sum<Element: Record, Value: FieldValue & Numeric>(
    _ name: String, of list: ListPath<Element>, help: String = "",
    _ value: @escaping @Sendable (Element) -> Value
  ) -> Self {
    query(.sum, name, list, help, Value.valueType) { record, _ in value(record).stateValue }
  }

  /// The number of the records of a list that meet a condition.
  ///
  /// The condition depends on nothing but the record.
  public static func count<Element: Record>(
    _ name: String, of list: ListPath<Element>, help: String = "",
    where condition: @escaping @Sendable (Element) -> Bool
  ) -> Self {
    query(.count, name, list, help, .integer) { record, _ in .boolean(condition(record)) }
  }

  /// The lowest value of the records of a list; nil without records.
  ///
  /// A value is a number, a text or a Boolean, and depends on nothing but its record; nil leaves the record out.
  public static func min<Element: Record, Value: FieldValue>(
    _ name: String, of list: ListPath<Element>, help: String = "",
    _ value: @escaping @Sendable (Element) -> Value
  ) -> Self {
    extreme(.minimum, name, list, help, value)
  }

  /// The highest value of the records of a list; nil without records.
  ///
  /// See ``min(_:of:help:_:)`` for the values.
  public static func max<Element: Record, Value: FieldValue>(
    _ name: String, of list: ListPath<Element>, help: String = "",
    _ value: @escaping @Sendable (Element) -> Value
  ) -> Self {
    extreme(.maximum, name, list, help, value)
  }

  private static func extreme<Element: Record, Value: FieldValue>(
    _ kind: QueryKind, _ name: String, _ list: ListPath<Element>, _ help: String,
    _ value: @escaping @Sendable (Element) -> Value
  ) -> Self {
    query(kind, name, list, help, .optional(Value.valueType)) { record, _ in
      value(record).stateValue
    }
  }

  /// The records of a list that meet a condition, in the order of the list: a live list for scripts.
  ///
  /// The condition depends on nothing but the record.
  public static func filter<Element: Record>(
    _ name: String, of list: ListPath<Element>, help: String = "",
    _ condition: @escaping @Sendable (Element) -> Bool
  ) -> Self {
    query(.selection, name, list, help, .list(of: Element.valueType)) { record, _ in
      .boolean(condition(record))
    }
  }

  /// The records of a list in the order of a value: a live list for scripts.
  ///
  /// A value is a number, a text or a Boolean, and depends on nothing but its record; nil comes first.
  public static func sorted<Element: Record, Value: FieldValue>(
    _ name: String, of list: ListPath<Element>, help: String = "",
    by value: @escaping @Sendable (Element) -> Value
  ) -> Self {
    query(.order, name, list, help, .list(of: Element.valueType)) { record, _ in
      value(record).stateValue
    }
  }

  /// Aggregates of the groups of records for which a value is the same.
  ///
  /// A value is a number, a text or a Boolean, and depends on nothing but its record; nil leaves the record out.
  public static func group<Element: Record, Key: FieldValue>(
    _ name: String, of list: ListPath<Element>, help: String = "",
    by key: @escaping @Sendable (Element) -> Key, _ members: GroupMember<Element>...
  ) -> Self {
    query(.groups(members.map(\.member)), name, list, help, .table) { record, index in
      index == 0 ? key(record).stateValue : members[index - 1].value(record)
    }
  }

  private static func query<Element: Record>(
    _ kind: QueryKind, _ name: String, _ list: ListPath<Element>, _ help: String,
    _ type: ValueType, _ value: @escaping @Sendable (Element, _ function: Int) -> StateValue
  ) -> Self {
    let query = ListQuery<Element>(kind)
    let result: @Sendable (AnyFeatureState) throws -> QueryResult = { box in
      try query.result(of: FeatureState<F>.of(box).state[keyPath: list], value)
    }
    let read: @Sendable (AnyFeatureState) -> StateValue = { box in
      do {
        let records = FeatureState<F>.of(box).state[keyPath: list]
        return try result(box).stateValue { records[id: $0]?.stateValue }
      } catch {
        // There is no such sum, or no such order.
        return .none
      }
    }
    var field = AnyField(name, help: help, type: type, .value(read, restore: nil))
    if kind.hasObject {
      field.query = StateQuery(kind: kind, list: list, result: result)
      field.isListView = true
    }
    return Self([field])
  }
}

/// A named aggregate of each group of a query.
public struct GroupMember<Element: Record>: Sendable {
  let member: QueryKind.Member
  let value: @Sendable (Element) -> StateValue

  private init(
    _ name: String, _ kind: QueryKind, _ value: @escaping @Sendable (Element) -> StateValue
  ) {
    (member, self.value) = (QueryKind.Member(name, kind), value)
  }

  /// The sum of a number of the group's records.
  public static func sum<Value: FieldValue & Numeric>(
    _ name: String, _ value: @escaping @Sendable (Element) -> Value
  ) -> Self {
    Self(name, .sum) { value($0).stateValue }
  }

  /// The number of the group's records that meet a condition; by default, of all.
  public static func count(
    _ name: String, where condition: @escaping @Sendable (Element) -> Bool = { _ in true }
  ) -> Self {
    Self(name, .count) { .boolean(condition($0)) }
  }

  /// The lowest value of the group's records.
  public static func min<Value: FieldValue>(
    _ name: String, _ value: @escaping @Sendable (Element) -> Value
  ) -> Self {
    Self(name, .minimum) { value($0).stateValue }
  }

  /// The highest value of the group's records.
  public static func max<Value: FieldValue>(
    _ name: String, _ value: @escaping @Sendable (Element) -> Value
  ) -> Self {
    Self(name, .maximum) { value($0).stateValue }
  }
}

/// A query of a feature of Swift types whose result is records or groups.
package struct StateQuery: Sendable {
  package let kind: QueryKind
  let list: any AnyKeyPath & Sendable
  package let result: @Sendable (AnyFeatureState) throws -> QueryResult

  package func isOver(_ field: AnyField) -> Bool {
    guard let property = field.list?.property else { return false }
    return property as AnyKeyPath == list as AnyKeyPath
  }
}
