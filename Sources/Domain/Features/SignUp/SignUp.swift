import PrimereplPlatform
public import StateStore

/// The sign-up: a flow of steps that all edit one record, and its submission.
public enum SignUp: Feature {
  /// "signup".
  public static let name = "signup"

  /// The screen before the first step.
  public static var initial: State { State() }

  /// The state of the sign-up.
  public struct State: Codable, Equatable, Sendable {
    /// The record that every step edits.
    public internal(set) var data = Data()
    /// The steps so far, ending with the one that is shown; empty before the first step.
    public internal(set) var path: [Step] = []
    /// The sheet that is open on the summary, or nil.
    public internal(set) var sheet: Sheet?
    /// The alert that is shown, or nil.
    public internal(set) var alert: Alert?
    /// Whether the record was submitted and accepted.
    public internal(set) var submitted = false

    /// The step that is shown, or nil on the screen before the first.
    public var step: Step? { path.last }

    /// The problems that keep the record from being accepted, in the order of the steps.
    ///
    /// - Complexity: O(length of the texts).
    public var problems: [Problem] {
      var problems: [Problem] = []
      if !EmailAddress.isPlausible(data.email) { problems.append(.invalidEmail) }
      if data.password.isEmpty || data.password.isForgotten {
        problems.append(.noPassword)
      } else if data.password != data.passwordConfirmation {
        problems.append(.passwordsDiffer)
      }
      if data.topics.isEmpty { problems.append(.noTopics) }
      return problems
    }

    /// The action that submits the record: it is accepted, or an alert lists its problems.
    public var submission: Action {
      let problems = problems
      return problems.isEmpty ? .submissionAccepted : .submissionRefused(problems)
    }
  }

  /// Everything that can happen to the sign-up.
  public enum Action: Codable, Equatable, Sendable {
    /// The next step is shown.
    case next
    /// The previous step is shown.
    case back
    /// Parts of the record change.
    case edit([DataChange])
    /// A sheet opens on the summary.
    case openSheet(Sheet)
    /// The sheet closes.
    case done
    /// The alert is dismissed.
    case dismissAlert
    /// The record was submitted, and has these problems.
    ///
    /// The action contains them, because a reducer can't tell whether passwords are forgotten.
    case submissionRefused([Problem])
    /// The record was submitted, and has no problems.
    case submissionAccepted
    /// The flow starts over.
    case reset
  }

  /// Applies an action to the sign-up.
  ///
  /// - Throws: `SignUpError`; the state is then unchanged.
  public static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .next:
      try goForward(in: &state)
    case .back:
      try checkNoSheet(in: state)
      guard !state.path.isEmpty else { throw SignUpError.atRoot }
      state.path.removeLast()
    case .edit(let changes):
      for change in changes { try change.check() }
      for change in changes { change.apply(to: &state.data) }
    case .openSheet(let sheet):
      try checkOnSummary(in: state)
      state.sheet = sheet
    case .done:
      try closeSheet(in: &state)
    case .dismissAlert:
      state.alert = nil
    case .submissionRefused(let problems):
      try checkCanSubmit(in: state)
      guard !problems.isEmpty else { throw SignUpError.noProblems }
      state.alert = Alert(problems: problems)
    case .submissionAccepted:
      try checkCanSubmit(in: state)
      state.submitted = true
      state.alert = nil
      state.data.removeSecrets()
    case .reset:
      state = State()
    }
  }

  private static func goForward(in state: inout State) throws {
    try checkNoSheet(in: state)
    // The path is always the beginning of the flow.
    guard let next = Step.allCases.dropFirst(state.path.count).first else {
      throw SignUpError.noNextStep
    }
    if state.step == .topics, state.data.topics.isEmpty {
      state.alert = .noTopics
    } else {
      state.path.append(next)
      state.alert = nil
    }
  }

  private static func closeSheet(in state: inout State) throws {
    guard let sheet = state.sheet else { throw SignUpError.noSheet }
    if sheet == .topics, state.data.topics.isEmpty {
      state.alert = .noTopics
    } else {
      state.sheet = nil
      state.alert = nil
    }
  }

  private static func checkCanSubmit(in state: State) throws {
    try checkOnSummary(in: state)
    guard !state.submitted else { throw SignUpError.alreadySubmitted }
  }

  /// Checks that the summary is shown, without a sheet over it.
  private static func checkOnSummary(in state: State) throws {
    try checkNoSheet(in: state)
    guard state.step == .summary else { throw SignUpError.notOnSummary(step: state.step) }
  }

  private static func checkNoSheet(in state: State) throws {
    if let sheet = state.sheet { throw SignUpError.sheetOpen(sheet) }
  }

  /// All parts of the state, with bullets for the passwords.
  public static let fields: [Field<SignUp>] = [
    .value("path", \.path, help: "The steps visited: basics, personal_info, topics, summary."),
    .derived("step", help: "The step that is shown; nil before the first.", \.step),
    .value(
      "data", \.data, help: "The record that every step edits; assign its fields.",
      set: { .edit(DataChange.changes(from: $0, to: $1)) }),
    .value("sheet", \.sheet, help: "The sheet that is open on the summary; or nil."),
    .value(
      "alert", \.alert,
      help: "The alert that is shown, with its title and perhaps problems; or nil."),
    .value("submitted", \.submitted, help: "Whether the record was submitted and accepted."),
  ]

  /// Checks that the flow can reach the state.
  public static func validate(_ state: inout State) throws {
    guard state.path.elementsEqual(Step.allCases.prefix(state.path.count)) else {
      let steps = Step.allCases.map(\.rawValue).joined(separator: ", ")
      throw DocumentError("path", "the steps are \(steps), in that order")
    }
    if let sheet = state.sheet, state.path.last != .summary {
      throw DocumentError("sheet", "\(sheet.rawValue) opens on the summary only")
    }
    do {
      try DataChange.topics(state.data.topics).check()
    } catch {
      throw DocumentError("data.topics", "\(error)")
    }
  }
}

// MARK: - Steps, sheets and alerts

extension SignUp {
  /// The steps, in the order of the flow; their names are in snake case.
  public enum Step: String, CaseIterable, Codable, FieldValue, Sendable {
    /// The email address and the password.
    case basics
    /// The names and the phone number.
    case personalInfo = "personal_info"
    /// The choice of topics.
    case topics
    /// Everything, to review and submit.
    case summary
  }

  /// The steps that can be edited in a sheet on the summary; their names are those of the steps.
  public enum Sheet: String, CaseIterable, Codable, FieldValue, Sendable {
    /// The names and the phone number.
    case personalInfo = "personal_info"
    /// The choice of topics.
    case topics
  }

  /// A message that stays until it is dismissed, or its problem is solved.
  public struct Alert: Codable, Equatable, Sendable, FieldRecord {
    /// The problems of a refused submission, at least one; nil for a step that can't be left without a topic.
    public internal(set) var problems: [Problem]?

    static let noTopics = Alert()

    /// The alert's text: a line for each problem.
    public var title: String {
      (problems ?? [.noTopics]).map(\.sentence).joined(separator: "\n")
    }

    /// The names of the parts in scripts and files.
    public static let fields: [RecordField<Alert>] = [
      .derived("title", \.title, help: "The alert's text."),
      .field("problems", \.problems, help: "What is wrong with the record; or nil."),
    ]
  }
}

extension SignUp.Alert {
  /// Reads the alert's problems.
  public init(fromDocument decoder: any Decoder) throws {
    try self.init(fromDocument: decoder, into: .noTopics)
    guard problems?.isEmpty != true else {
      throw DocumentError(decoder.codingPath, "an alert has at least one problem")
    }
  }
}

// MARK: - Errors

extension SignUp {
  /// The codes of its errors.
  public enum ErrorCode: String, FeatureErrorCode {
    case atRoot, noNextStep, sheetOpen, noSheet, notOnSummary, notEditable, alreadySubmitted
    case unknownTopic, duplicateTopic
  }
}

/// Why something can't be done with the sign-up.
public typealias SignUpError = FeatureError<SignUp>

extension SignUpError {
  static var atRoot: Self {
    Self(.atRoot, "Can't go back: the sign-up hasn't begun.")
  }

  static var noNextStep: Self {
    Self(.noNextStep, "The summary is the last step: submit the sign-up, or go back.")
  }

  static func sheetOpen(_ sheet: SignUp.Sheet) -> Self {
    Self(.sheetOpen, "The sheet \(sheet.rawValue) is open: close it with done() first.")
  }

  static var noSheet: Self {
    Self(.noSheet, "No sheet is open: edit a step on the summary first.")
  }

  /// The step is nil before the first.
  static func notOnSummary(step: SignUp.Step?) -> Self {
    Self(
      .notOnSummary,
      "This is possible only on the summary, but the step is "
        + "\(step?.rawValue ?? "before the first step"): go there first.")
  }

  static var alreadySubmitted: Self {
    Self(
      .alreadySubmitted,
      "The sign-up was submitted and accepted already: reset it to start over.")
  }

  /// No function of scripts can cause it.
  static var noProblems: PlainError<SignUp> {
    PlainError("no_problems", "A submission without problems can't be refused: accept it.")
  }

  static func duplicateTopic(_ topic: SignUp.Topic) -> Self {
    Self(
      .duplicateTopic,
      "The topic \"\(topic.rawValue)\" is chosen twice: choose each topic only once.")
  }

  package static func notEditable(_ name: String, nearest: SignUp.Sheet?) -> Self {
    unknown(
      .notEditable, "No sheet exists for", name, nearest, "What can be edited on the summary")
  }

  package static func unknownTopic(_ name: String, nearest: SignUp.Topic?) -> Self {
    unknown(.unknownTopic, "Unknown topic", name, nearest, "The topics are")
  }

  private static func unknown<Name: CaseIterable & RawRepresentable<String>>(
    _ code: SignUp.ErrorCode, _ problem: String, _ name: String, _ nearest: Name?,
    _ listTitle: String
  ) -> Self {
    let advice = nearest.map { ": did you mean \"\($0.rawValue)\"?" } ?? "."
    let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
    return Self(
      code, "\(problem) \"\(name.printable(limit: 200))\"\(advice) \(listTitle): \(names).")
  }
}
