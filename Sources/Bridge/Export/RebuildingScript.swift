internal import Domain
internal import StateStore

/// A Lua script that does what it takes to make a state of a fresh one.
struct RebuildingScript {
  /// The script.
  private(set) var text = """
    -- The state of a primerepl session, made again by actions: primerepl FILE, or primerepl --state OTHER FILE.
    -- Records get ids anew. Not in it: passwords, whether the sign-up was submitted, and messages that were shown.

    store.reset()

    """

  /// - Throws: `ExportError.tooLargeForScript`.
  init(_ store: Store) throws {
    addFavorites(store.state(of: FavoritePrimes.self))
    addCounter(store.state(of: Counter.self))
    try addTodo(store.state(of: Todo.self))
    addPersons(store.state(of: Persons.self))
    try addLandmarks(store.state(of: Landmarks.self))
    addSignUp(store.state(of: SignUp.self))
  }

  private mutating func add(_ line: String) { text += line + "\n" }

  private mutating func addFavorites(_ favorites: FavoritePrimes.State) {
    for number in favorites.list { add(FavoritePrimes.Action.add(number: number).luaText) }
  }

  private mutating func addCounter(_ counter: Counter.State) {
    if counter.count != 0 { add(Counter.Action.set(count: counter.count).luaText) }
    if counter.isModalOpen { add(Counter.Action.askIsPrime.luaText) }
  }

  private mutating func addTodo(_ todo: Todo.State) throws {
    if let lastQuery = todo.lastQuery {
      // Each comes first in the list.
      for item in todo.items.reversed() {
        add("todo.add(\(item.text.luaLiteral))\(item.done ? ".done = true" : "")")
      }
      // By their bytes, of which a letter can have several.
      if todo.items.first?.text.utf8.elementsEqual(lastQuery.utf8) != true {
        add("todo.remove(todo.add(\(lastQuery.luaLiteral)).id) -- remembered as the last query")
      }
    } else if todo.count > 0 {
      // Adding one by one would leave the text of the last as the last query.
      try add(todo.items.map(\.stateValue), by: "todo.fetch")
    }
    if !todo.query.isEmpty { add(Todo.Action.set(query: todo.query).luaText) }
  }

  private mutating func addPersons(_ persons: Persons.State) {
    for person in persons.list { add(Persons.Action.add(person).luaText) }
  }

  private mutating func addLandmarks(_ landmarks: Landmarks.State) throws {
    guard landmarks.count > 0 || landmarks.showFavoritesOnly else { return }
    try addLandmarks(Array(landmarks.all))
    if landmarks.showFavoritesOnly { add(Landmarks.Action.setShowFavoritesOnly(true).luaText) }
    if let selected = landmarks.selected { add(Landmarks.Action.select(id: selected).luaText) }
  }

  private mutating func addLandmarks(_ landmarks: [Landmark]) throws {
    guard !landmarks.isEmpty else { return }
    let builtIn = try LandmarksLogic.builtIn()
    let hasOnlyOtherFavorites = landmarks.elementsEqual(builtIn) { landmark, builtIn in
      var builtIn = builtIn
      builtIn.isFavorite = landmark.isFavorite
      return landmark == builtIn
    }
    guard hasOnlyOtherFavorites else {
      return try add(landmarks.map(\.stateValue), by: "landmarks.load")
    }
    add("landmarks.load()")
    for (landmark, builtIn) in zip(landmarks, builtIn)
    where landmark.isFavorite != builtIn.isFavorite {
      add(Landmarks.Action.setFavorite(id: landmark.id, isFavorite: landmark.isFavorite).luaText)
    }
  }

  /// Adds records that come from a file, which the script writes.
  private mutating func add(_ records: [StateValue], by function: String) throws {
    let json = StateValue.list(records).json
    guard json.utf8.count <= SourceLoader.defaultMaximumSize else {
      throw ExportError.tooLargeForScript
    }
    add(
      """
      do
        local path = os.tmpname()
        local file <close> = assert(io.open(path, "w"))
        assert(file:write(\(json.luaLiteral)))
        file:close()
        \(function)(path)
        os.remove(path)
      end
      """)
  }

  private mutating func addSignUp(_ signUp: SignUp.State) {
    let topics = signUp.data.topics
    let isOnward = signUp.path.contains(.summary)
    for change in signUp.data.changesWithoutSecrets { add(SignUp.Action.edit([change]).luaText) }
    // Whoever went on had chosen one, and may have left it since.
    if isOnward, topics.isEmpty { add(SignUp.Action.edit([.topics([.testing])]).luaText) }
    for _ in signUp.path { add(SignUp.Action.next.luaText) }
    if let sheet = signUp.sheet { add(SignUp.Action.openSheet(sheet).luaText) }
    if isOnward, topics.isEmpty { add(SignUp.Action.edit([.topics([])]).luaText) }
  }
}

extension SignUp.Data {
  /// What makes an empty record this one, but for the passwords.
  fileprivate var changesWithoutSecrets: [SignUp.DataChange] {
    let texts: [(String, (String) -> SignUp.DataChange)] = [
      (email, SignUp.DataChange.email), (firstName, SignUp.DataChange.firstName),
      (lastName, SignUp.DataChange.lastName), (phoneNumber, SignUp.DataChange.phoneNumber),
    ]
    let changes = texts.filter { !$0.0.isEmpty }.map { text, change in change(text) }
    return topics.isEmpty ? changes : changes + [.topics(topics)]
  }
}
