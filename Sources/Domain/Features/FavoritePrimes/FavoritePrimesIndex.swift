extension FavoritePrimes {
  /// The favorites in a hash table, which is kept up to date by what their list notes.
  ///
  /// It is no part of the state: the list finds its records in O(log favorites), with several times as many accesses to memory
  /// for a million of them, but its copies share what they have in common, which hash tables can't.
  struct Index {
    /// Nil where the list was replaced by one so long that it isn't worth to go through it: the list answers then.
    private var numbers: Set<Int>?

    /// A list of more isn't gone through.
    private static let longest = 100_000

    init(_ state: State) {
      if state.count <= Self.longest { numbers = Set(state.primes.lazy.map(\.id)) }
    }

    /// Whether a number is a favorite in the state that was followed last.
    func contains(_ number: Int, in state: State) -> Bool {
      numbers?.contains(number) ?? state.contains(number)
    }

    /// Follows what the list of a state has noted.
    ///
    /// - Complexity: O(edits), or O(favorites) where the list was replaced.
    mutating func follow(_ state: State) {
      guard let edits = state.primes.notedEdits else {
        self = Index(state)
        return
      }
      for edit in edits { follow(edit) }
    }

    /// Takes back what the list of a state has noted.
    ///
    /// - Parameters:
    ///   - undone: The state in which the actions were done.
    ///   - earlier: The state before them.
    mutating func takeBack(_ undone: State, to earlier: State) {
      guard let edits = undone.primes.notedEdits else {
        self = Index(earlier)
        return
      }
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
