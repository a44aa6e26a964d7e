/// The whole app, composed of its features: this file is the place where a feature is added.
public enum App: Feature {
  /// What the app remembers.
  public struct State: Codable, Equatable, Sendable {
    /// The counter, its prime card and its alert.
    public internal(set) var counter = Counter.State()
    /// The favorite primes.
    public internal(set) var favorites = FavoritePrimes.State()
    /// The list of things to do.
    public internal(set) var todo = Todo.State()
    /// The list of landmarks.
    public internal(set) var landmarks = Landmarks.State()
    /// The list of persons.
    public internal(set) var persons = Persons.State()
    /// The sign-up.
    public internal(set) var signUp = SignUp.State()

    /// Makes the state the app starts with.
    public init() {}
  }

  /// Everything that can happen to the app.
  public enum Action: Codable, Equatable, Sendable {
    /// Something happens to the counter.
    case counter(Counter.Action)
    /// Something happens to the favorite primes.
    case favorites(FavoritePrimes.Action)
    /// Something happens to the list of things to do.
    case todo(Todo.Action)
    /// Something happens to the list of landmarks.
    case landmarks(Landmarks.Action)
    /// Something happens to the list of persons.
    case persons(Persons.Action)
    /// Something happens to the sign-up.
    case signUp(SignUp.Action)
    /// Everything goes back to how the app starts.
    case reset
    /// The state becomes another as a whole, which is in a box, as other actions are small.
    indirect case restore(State, source: String?)
  }

  /// Changes the state of the feature that the action is for.
  public static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .counter(let action): try Counter.reduce(&state.counter, action)
    case .favorites(let action): try FavoritePrimes.reduce(&state.favorites, action)
    case .todo(let action): try Todo.reduce(&state.todo, action)
    case .landmarks(let action): try Landmarks.reduce(&state.landmarks, action)
    case .persons(let action): try Persons.reduce(&state.persons, action)
    case .signUp(let action): try SignUp.reduce(&state.signUp, action)
    case .reset: replace(&state, by: State())
    case .restore(let new, _): replace(&state, by: new)
    }
  }

  private static func replace(_ state: inout State, by new: State) {
    let old = state
    state = new
    for list in lists { list.noteReplacement(&state, old) }
  }

  /// The actions that end the requests for which a state awaits answers, where nobody will give them any more.
  static func givingUpRequests(of state: State) -> [Action] {
    [
      Counter.givingUpRequest(of: state.counter).map(Action.counter),
      Todo.givingUpRequest(of: state.todo).map(Action.todo),
      Landmarks.givingUpRequest(of: state.landmarks).map(Action.landmarks),
      Persons.givingUpRequest(of: state.persons).map(Action.persons),
    ].compactMap(\.self)
  }

  /// The fields of all features.
  ///
  /// The prime card is a field of the counter that depends on the favorites too, so it stands here.
  public static let fields: [Field<State>] =
    Counter.fields.map { $0.pulledBack(to: "counter", \.counter) { $1($0.counter) } }
    + [.scalar("counter.modal", PrimeCard.shape) { $0.primeCard?.value ?? .none }]
    + FavoritePrimes.fields.map { $0.pulledBack(to: "favorites", \.favorites) { $1($0.favorites) } }
    + Todo.fields.map { $0.pulledBack(to: "todo", \.todo) { $1($0.todo) } }
    + Landmarks.fields.map { $0.pulledBack(to: "landmarks", \.landmarks) { $1($0.landmarks) } }
    + Persons.fields.map { $0.pulledBack(to: "persons", \.persons) { $1($0.persons) } }
    + SignUp.fields.map { $0.pulledBack(to: "signup", \.signUp) { $1($0.signUp) } }

  /// Those fields that are lists.
  static let lists: [ListAccess<State>] = fields.compactMap { field in
    if case .list(let access) = field.content { access } else { nil }
  }

  /// Whether a list of any feature has noted edits.
  public static func hasEdits(in state: State) -> Bool {
    FavoritePrimes.hasEdits(in: state.favorites) || Todo.hasEdits(in: state.todo)
      || Landmarks.hasEdits(in: state.landmarks) || Persons.hasEdits(in: state.persons)
  }

  /// Forgets what the lists of all features noted of their edits.
  public static func discardEdits(in state: inout State) {
    FavoritePrimes.discardEdits(in: &state.favorites)
    Todo.discardEdits(in: &state.todo)
    Landmarks.discardEdits(in: &state.landmarks)
    Persons.discardEdits(in: &state.persons)
  }
}

extension App.State {
  /// All fields as one nested record.
  ///
  /// - Complexity: O(size of the state).
  public var snapshot: StateValue {
    StateValue(leaves: App.fields.map { (path: $0.path[...], value: $0.value(in: self)) })
  }
}

extension App.State {
  /// The state as a journal has it.
  var withoutSecrets: App.State {
    var state = self
    state.signUp.data.removeSecrets()
    return state
  }
}

extension App.Action {
  /// The action as a journal has it.
  var withoutSecrets: App.Action {
    guard case .signUp(.edit(let changes)) = self else { return self }
    return .signUp(.edit(changes.map(\.withoutSecrets)))
  }
}
