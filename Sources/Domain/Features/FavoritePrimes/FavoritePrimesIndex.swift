extension FavoritePrimes {
  /// The favorites in a hash table, which is kept up to date by what their list notes.
  ///
  /// It is no part of the state: the list finds its records in O(log favorites), with several times as many accesses to memory
  /// for a million of them, but its copies share what they have in common, which hash tables can't.
  struct Index {
    /// Nil until somebody asks, and after the list was replaced.
    private var numbers: Set<Int>?

    /// Makes an index that nobody has asked for yet.
    init() {}

    /// Makes an index of the favorites of a state.
    ///
    /// - Complexity: O(favorites).
    init(_ state: State) {
      numbers = Set(state.primes.lazy.map(\.id))
    }

    /// Whether a number is a favorite, or nil where the favorites aren't in the table.
    func contains(_ number: Int) -> Bool? { numbers?.contains(number) }

    /// Follows what the list of a state has noted.
    ///
    /// - Complexity: O(edits).
    mutating func follow(_ state: State) {
      guard let edits = state.primes.notedEdits else { return numbers = nil }
      for edit in edits { follow(edit) }
    }

    /// Takes back what the list of a state has noted.
    ///
    /// - Complexity: O(edits).
    mutating func takeBack(_ undone: State) {
      guard let edits = undone.primes.notedEdits else { return numbers = nil }
      for edit in edits.reversed() { follow(edit.inverted) }
    }

    private mutating func follow(_ edit: ListEdit<FavoritePrime>) {
      switch edit {
      case .inserted(_, let prime): numbers?.insert(prime.id)
      case .removed(_, let prime): numbers?.remove(prime.id)
      case .changed: break
      }
    }
  }
}
