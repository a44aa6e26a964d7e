/// The state as people read and write it: a JSON object with the names that front ends show.
///
/// What isn't there is as the app starts. What follows from the rest, such as what the prime card says, is written, and not
/// read; requests that await an answer, and secrets, are neither.
struct StateDocument: Decodable {
  /// The format that is written.
  private static let format = 1

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case format, counter, favorites, todo, landmarks, persons, signup
    /// The list of persons is a list, which has no place for what is known besides.
    case personsError = "persons.error"
  }

  private let counter: Counter.Document?
  private let favorites: [Int]?
  private let todo: Todo.Document?
  private let landmarks: Landmarks.Document?
  private let persons: [Persons.Person]?
  private let personsError: String?
  private let signUp: SignUp.Document?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(ofKnown: CodingKeys.self)
    let format = try container.decodeIfPresent(Int.self, forKey: .format) ?? Self.format
    guard format == Self.format else {
      throw StateDocumentProblem(
        "format",
        "this version reads format \(Self.format): \(format) may be that of a newer primerepl")
    }
    counter = try container.decodeIfPresent(Counter.Document.self, forKey: .counter)
    favorites = try container.decodeIfPresent([Int].self, forKey: .favorites)
    todo = try container.decodeIfPresent(Todo.Document.self, forKey: .todo)
    landmarks = try container.decodeIfPresent(Landmarks.Document.self, forKey: .landmarks)
    persons = try container.decodeIfPresent([Persons.Person].self, forKey: .persons)
    personsError = try container.decodeIfPresent(String.self, forKey: .personsError)
    signUp = try container.decodeIfPresent(SignUp.Document.self, forKey: .signup)
  }

  /// The state, whose features check what is for them.
  ///
  /// - Throws: `StateDocumentProblem`.
  func state() throws(StateDocumentProblem) -> App.State {
    var state = App.State()
    if let counter { state.counter = counter.state }
    if let favorites { state.favorites = try FavoritePrimes.state(favorites) }
    if let todo { state.todo = try todo.state() }
    if let landmarks { state.landmarks = try landmarks.state() }
    if let persons { state.persons = try Persons.state(persons) }
    state.persons.error = personsError
    if let signUp { state.signUp = try signUp.state() }
    return state
  }

  /// A state as such a document.
  static func json(of state: App.State) -> String {
    var state = state
    state.counter.pendingRequest = nil
    state.todo.pendingRequest = nil
    state.landmarks.pendingRequest = nil
    state.persons.pendingRequest = nil
    guard case .record(var members) = state.snapshot else {
      preconditionFailure("The fields of the app have names.")
    }
    let format = StateValue.Member(name: CodingKeys.format.rawValue, value: .integer(Self.format))
    let personsError = StateValue.Member(
      name: CodingKeys.personsError.rawValue, value: .optional(state.persons.error))
    let position = members.firstIndex { $0.name == CodingKeys.persons.rawValue }
    members.insert(personsError, at: position.map { $0 + 1 } ?? members.endIndex)
    return StateValue.record([format] + members).prettyJSON
  }
}
