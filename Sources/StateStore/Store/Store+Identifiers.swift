extension Store {
  /// Sends an action that adds a record with an identifier that no other record has or had; returns the identifier.
  ///
  /// The identifier comes after those of all records in the feature's lists. An action that is refused uses up no
  /// identifier, so the same calls give the same state, whether or not a refused one is among them.
  ///
  /// - Throws: Why the action can't be applied; then the state is unchanged.
  /// - Complexity: O(log records), besides the cost of the action.
  @discardableResult
  public func send<F: Feature>(
    to feature: F.Type, withNewID action: (_ id: Int) throws -> F.Action
  ) throws -> Int {
    let id = newID(in: feature)
    do {
      try send(action(id), to: feature)
    } catch let error as RecordListError {
      // A record has the identifier already, so no later action can have it either.
      throw error
    } catch {
      unusedIDs[IdentifierKind(F.name), default: []].append(id)
      throw error
    }
    return id
  }

  /// An identifier that no other record has or had; it is used up at once.
  func newID<F: Feature>(in feature: F.Type) -> Int {
    let own = schema.features[index(of: feature)]
    let kind = IdentifierKind(F.name)
    let maximum = own.maximumID(in: states) ?? 0
    func isUsed(_ id: Int) -> Bool { own.containsID(id, in: states) }
    return unusedIDs.take(kind, after: maximum, unless: isUsed)
      ?? identifiers.next(kind, after: maximum, unless: isUsed)
  }
}
