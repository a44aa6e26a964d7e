import PrimereplDomain
import Testing

@testable import Scripting
@testable import StateStore

extension StoreAction {
  fileprivate init<F: Feature>(_ action: F.Action, of feature: F.Type) {
    self.init(.feature(FeatureAction<F>(action), at: nil))
  }

  fileprivate static func landmarks(_ action: Landmarks.Action) -> Self {
    Self(action, of: Landmarks.self)
  }
  fileprivate static func persons(_ action: Persons.Action) -> Self {
    Self(action, of: Persons.self)
  }
  fileprivate static func signUp(_ action: SignUp.Action) -> Self { Self(action, of: SignUp.self) }

  /// A phase of a request.
  fileprivate static func step<F, Question, Answer>(
    of request: Request<F, Question, Answer>, _ phase: RequestPhase<Question, Answer>
  ) -> Self {
    Self(.feature(RequestEvent(request.handler, number: 7, phase), at: nil))
  }
}

@MainActor
@Suite("Actions as Lua text")
struct ActionTextTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "are the call or the assignment that sends them",
    arguments: [
      "counter.increment()", "counter.increment(10)", "counter.increment(math.mininteger)",
      "counter.decrement()", "counter.decrement(-3)", "counter.count = -7",
      "counter.count = math.mininteger", "counter.ask_is_prime()", "counter.dismiss_modal()",
      "counter.dismiss_alert()", "favorites.add(7)", "favorites.toggle(7)", "favorites.remove(2)",
      "favorites.clear()", "favorites.remove_at(1)", "favorites.remove_at({3, 1})",
      #"todo.add("milk")"#, #"todo.query = "a \"b\" \\ \n \x009 é""#, "todo.complete(1)",
      "todo.reopen(2)", #"todo.rename(1, "tea")"#, "todo.remove(1)", "todo.recover_last_query()",
      "store.reset()",
    ])
  func calls(code: String) async throws {
    #expect(
      try await app.text(
        """
        for _, n in ipairs({ 2, 3, 5 }) do favorites.add(n) end
        todo.add("milk") todo.add("bread")
        counter.count = 4 counter.ask_is_prime() counter.ask_nth_prime()
        \(code)
        return store.history(1)[1].action
        """) == code)
  }

  private nonisolated static let ann = Persons.Person(id: 1, name: "A\"nn\n", age: 30)

  private nonisolated static let texts: [(StoreAction, String)] = [
    (.persons(.add(ann)), #"persons.add({name = "A\"nn\n", age = 30})"#),
    (.persons(.edit(id: 2, name: "Jane", age: nil)), #"persons.edit(2, {name = "Jane"})"#),
    (.persons(.edit(id: 2, name: nil, age: 3)), "persons.edit(2, {age = 3})"),
    (.persons(.edit(id: 2, name: "Jane", age: 3)), #"persons.edit(2, {name = "Jane", age = 3})"#),
    (.persons(.edit(id: 2, name: nil, age: nil)), "persons.edit(2, {})"),
    (.persons(.remove(id: .min)), "persons.remove(math.mininteger)"),
    (.step(of: Persons.fetch, .asked(Source("a.json"))), #"persons.fetch("a.json")"#),
    (.step(of: Persons.fetch, .answered([])), "persons.fetch() --> 0 items"),
    (.step(of: Persons.fetch, .failed(message: "")), "persons.fetch() --> failed"),
    (.step(of: Counter.askNthPrime, .asked(NthPrimeQuestion())), "counter.ask_nth_prime()"),
    (
      .step(of: Counter.askNthPrime, .asked(NthPrimeQuestion(source: .wolfram))),
      #"counter.ask_nth_prime({source = "wolfram"})"#
    ),
    (
      .landmarks(.setFavorite(id: .min, isFavorite: true)),
      "landmarks.get(math.mininteger).is_favorite = true"
    ),
    (
      .landmarks(.setFavorite(id: 3, isFavorite: false)), "landmarks.get(3).is_favorite = false"
    ),
    (.landmarks(.setShowFavoritesOnly(true)), "landmarks.show_favorites_only = true"),
    (.landmarks(.select(id: 3)), "landmarks.select(3)"),
    (.landmarks(.deselect), "landmarks.deselect()"),
    (.signUp(.next), "signup.next()"), (.signUp(.back), "signup.back()"),
    (.signUp(.openSheet(.personalInfo)), #"signup.edit("personal_info")"#),
    (.signUp(.done), "signup.done()"), (.signUp(.dismissAlert), "signup.dismiss_alert()"),
    (.signUp(.reset), "signup.reset()"),
    (.signUp(.edit([.email("j@e.com")])), #"signup.data.email = "j@e.com""#),
    (.signUp(.edit([.firstName("\"J\"\n")])), #"signup.data.first_name = "\"J\"\n""#),
    (.signUp(.edit([.lastName("Doe")])), #"signup.data.last_name = "Doe""#),
    (.signUp(.edit([.phoneNumber("1")])), #"signup.data.phone_number = "1""#),
    (
      .signUp(.edit([.topics([.testing, .modernSwiftUI])])),
      #"signup.data.topics = {"Testing", "Modern SwiftUI"}"#
    ),
    (.signUp(.edit([.topics([])])), "signup.data.topics = {}"),
    (
      .signUp(
        .edit([
          .email("j@e.com"), .password(Secret("hunter2")), .passwordConfirmation(Secret("hunter")),
        ])),
      #"signup.data.email = "j@e.com"; signup.data.password = "•••••••"; "#
        + #"signup.data.password_confirmation = "••••••""#
    ),
    (.signUp(.submissionAccepted), "signup.submit() --> accepted"),
    (
      .signUp(.submissionRefused([.invalidEmail, .noTopics])),
      "signup.submit() --> refused: invalid_email, no_topics"
    ),
  ]

  @Test("show values, bullets for passwords, and results after an arrow", arguments: texts)
  func values(action: StoreAction, text: String) {
    #expect(app.session.texts.text(of: action) == text)
  }
}
