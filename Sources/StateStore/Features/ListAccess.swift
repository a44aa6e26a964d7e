/// What can be done with a list in a feature's state without knowing its records.
@usableFromInline struct ListAccess<F: Feature>: Sendable {
  /// All records in their general form.
  let values: @Sendable (AnyFeatureState) -> ListElements<StateValue>
  /// What makes the list of one state that of another; nil where they are the same.
  let edits: @Sendable (_ old: AnyFeatureState, _ new: AnyFeatureState) -> ListEdits<StateValue>?
  /// Has the list note its changes.
  let startLog: @Sendable (AnyFeatureState) -> Void
  /// What the list noted since.
  let endLog: @Sendable (AnyFeatureState) -> LoggedEdits<StateValue>
  /// Makes it a list that no other one has become.
  let renew: @Sendable (inout F.State) -> Void
  /// Reads it from a document.
  let restore: @Sendable (inout F.State, any Decoder) throws -> Void
  /// The names of a record's parts; empty where a record is a single value.
  let names: [String]

  @inlinable init<Element: Record>(
    _ list: any WritableKeyPath<F.State, RecordList<Element>> & Sendable
  ) {
    let offset = MemoryLayout<F.State>.offset(of: list)
    self.init(
      values: { ListElements(FeatureState<F>.of($0).part(list, at: offset)) { $0.stateValue } },
      edits: { old, new in
        FeatureState<F>.of(new).part(list, at: offset)
          .edits(since: FeatureState<F>.of(old).part(list, at: offset)) { $0.stateValue }
      },
      startLog: { FeatureState<F>.of($0).change(list, at: offset) { $0.startLog() } },
      endLog: {
        FeatureState<F>.of($0).change(list, at: offset) { $0.endLog { $0.stateValue } }
      },
      renew: { $0[keyPath: list].renew() },
      restore: { state, decoder in
        let records = try [Element](fromDocument: decoder)
        for (index, record) in records.enumerated() {
          do {
            try record.validate()
          } catch {
            throw DocumentError(decoder.codingPath + [PositionKey(index)], "\(error)")
          }
        }
        do {
          state[keyPath: list] = try RecordList(order: state[keyPath: list].order, records: records)
        } catch {
          throw DocumentError(decoder.codingPath, "\(error)")
        }
      }, names: Element.shape.names)
  }

  @usableFromInline init(
    values: @escaping @Sendable (AnyFeatureState) -> ListElements<StateValue>,
    edits: @escaping @Sendable (AnyFeatureState, AnyFeatureState) -> ListEdits<StateValue>?,
    startLog: @escaping @Sendable (AnyFeatureState) -> Void,
    endLog: @escaping @Sendable (AnyFeatureState) -> LoggedEdits<StateValue>,
    renew: @escaping @Sendable (inout F.State) -> Void,
    restore: @escaping @Sendable (inout F.State, any Decoder) throws -> Void, names: [String]
  ) {
    (self.values, self.edits) = (values, edits)
    (self.startLog, self.endLog) = (startLog, endLog)
    (self.renew, self.restore, self.names) = (renew, restore, names)
  }
}

/// A position in a list.
@usableFromInline struct PositionKey: CodingKey {
  let position: Int
  @usableFromInline var intValue: Int? { position }
  @usableFromInline var stringValue: String { "\(position)" }

  @usableFromInline init(_ position: Int) { self.position = position }
  @usableFromInline init?(stringValue: String) { nil }
  @usableFromInline init?(intValue: Int) { nil }
}
