extension EditorModel {
  /// Performs a command that replaces the text by an entry of the history; nil for other commands.
  func recall(_ command: EditorCommand, count: Int) -> Outcome? {
    switch command {
    case .previousHistory, .nextHistory:
      let isBackward = command == .previousHistory
      let isMoved = (0..<count).allSatisfy { _ in
        walkHistory(isBackward: isBackward, isSearch: false)
      }
      return isMoved ? .editing : .refused
    case .firstHistory: return jumpInHistory(to: 0)
    case .lastHistory: return jumpInHistory(to: history.count)
    case .searchBackward, .searchForward:
      return beginSearch(isBackward: command == .searchBackward, runsOnEnter: true)
    default: return nil
    }
  }

  func walkHistory(isBackward: Bool, isSearch: Bool) -> Bool {
    // A cursor on a character says nothing of a beginning.
    let prefix = isSearch ? buffer.text(in: 0..<(isInserting ? buffer.cursor : 0)) : nil
    return showEntry { $0.move(from: $1, prefix: prefix, isBackward: isBackward, in: history) }
  }

  private func jumpInHistory(to entry: Int) -> Outcome {
    showEntry { $0.jump(to: entry, from: $1, in: history) } ? .editing : .refused
  }

  /// Shows the entry to which the walk goes from the text; returns whether there is one.
  private func showEntry(_ move: (inout HistoryWalk, _ text: String) -> String?) -> Bool {
    var walk = self.walk ?? HistoryWalk(history: history, text: buffer.text)
    let text = move(&walk, buffer.text)
    self.walk = walk
    guard let text else { return false }
    buffer.setText(text)
    return true
  }

  // MARK: - Search

  func beginSearch(isBackward: Bool, runsOnEnter: Bool) -> Outcome {
    search = IncrementalSearch(
      from: walk?.index ?? history.count, isBackward: isBackward, original: buffer,
      runsOnEnter: runsOnEnter)
    return .editing
  }

  /// Returns nil if the search is over, and the key has its usual meaning.
  func handleInSearch(_ key: Key) -> Outcome? {
    guard var search else { return nil }
    switch key {
    case .character(let character):
      search.search(for: search.pattern + String(character), in: history)
    case .paste(let text):
      let line = text.prefix { !$0.isNewline }
      search.search(for: search.pattern + line, in: history)
    case .backspace, .control("h"):
      guard !search.pattern.isEmpty else { return .refused }
      search.search(for: String(search.pattern.dropLast()), in: history)
    case .control("u"): search.search(for: "", in: history)
    case .control("r"), .up, .control("s"), .down, .control("p"), .control("n"):
      let isBackward = [.control("r"), .up, .control("p")].contains(key)
      return step(&search, isBackward: isBackward)
    case .control("g"), .control("c"):
      endSearch(taking: false)
      return key == .control("g") ? .editing : nil
    case .enter where !search.runsOnEnter, .escape, .tab:
      endSearch(taking: true)
      return .editing
    default:
      endSearch(taking: true)
      if key == .enter { buffer.moveCursor(to: buffer.count) }
      return nil
    }
    return show(search)
  }

  private func step(_ search: inout IncrementalSearch, isBackward: Bool) -> Outcome {
    if search.pattern.isEmpty, !lastPattern.isEmpty {
      search.search(for: lastPattern, in: history)
      return show(search)
    }
    let isMoved = search.step(isBackward: isBackward)
    let outcome = show(search)
    return isMoved ? outcome : .refused
  }

  /// Shows the entry found in place of the text.
  private func show(_ search: IncrementalSearch) -> Outcome {
    self.search = search
    guard !search.isFailing else { return .refused }
    guard let entry = search.entry else {
      buffer = search.original
      return .editing
    }
    buffer = EditBuffer(history.entries[entry])
    if let match = search.matchedRange(in: history) {
      buffer.moveCursor(to: buffer.position(ofOffset: match.lowerBound))
    }
    return .editing
  }

  /// Ends the search, with the entry found or with the text before it.
  func endSearch(taking isTaken: Bool) {
    guard let search else { return }
    self.search = nil
    let cursor = buffer.cursor
    buffer = search.original
    if !search.pattern.isEmpty { lastPattern = search.pattern }
    guard isTaken, let entry = search.entry else { return }
    _ = jumpInHistory(to: entry)
    buffer.moveCursor(to: cursor)
  }

  /// Takes the next entry that contains the last text looked for.
  func repeatSearch(isBackward: Bool) -> Outcome {
    guard !lastPattern.isEmpty else { return .refused }
    _ = beginSearch(isBackward: isBackward, runsOnEnter: false)
    guard var search else { return .refused }
    search.search(for: lastPattern, in: history)
    guard search.entry != nil, !search.isFailing else {
      endSearch(taking: false)
      return .refused
    }
    _ = show(search)
    endSearch(taking: true)
    return .editing
  }
}
