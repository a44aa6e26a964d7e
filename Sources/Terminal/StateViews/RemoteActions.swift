package import StateStore

/// Actions of other processes that were reloaded.
package struct RemoteActions: Equatable {
  /// Their users and hosts, each once; empty if they aren't known.
  var authors: [String] = []
  /// Their numbers; nil if there are none, or the others have undone or redone actions.
  package var numbers: ClosedRange<Int>?

  package init() {}

  /// Actions by some users, each on a host; nil for one that isn't known.
  package init(by authors: [String?]) {
    for author in authors.compactMap(\.self) where !self.authors.contains(author) {
      self.authors.append(author)
    }
  }

  /// Those who did them, to be shown.
  package var name: String {
    switch authors.count {
    case 0: "another process"
    case 1...3: authors.map { $0.printable(limit: 40) }.joined(separator: ", ")
    default: "\(authors.count) others"
    }
  }

  /// Those of a reload.
  package init(of reload: JournaledSession.Reload) {
    self.init(by: reload.entries.map(\.author))
    numbers = reload.numbers
  }
}
