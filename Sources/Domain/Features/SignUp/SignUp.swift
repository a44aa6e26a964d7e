public import StateStore
/// The sign-up: a flow of steps that all edit one record, and its submission.
public enum SignUp: Feature {
  /// "signup".
  public static let name = "signup"

  /// The screen before the first step.
  public static var initial: State { State() }

  /// Everything that can happen to the sign-up.
  public enum Action: Codable, Equatable, Sendable {
    /// The next step is shown.
    case next
    /// The step before is shown.
    case back
    /// Parts of the record become others.
    case edit([DataChange])
    /// A sheet opens on the summary.
    case openSheet(Sheet)
    /// The sheet closes.
    case done
    /// The alert is put away.
    case dismissAlert
    /// The record was submitted, and has these problems.
    ///
    /// They arrive here, as passwords are secrets, which a restored history no longer has.
    case submissionRefused([Problem])
    /// The record was submitted, and has no problems.
    case submissionAccepted
    /// The flow starts over.
    case reset
  }

  /// Changes the sign-up as the action says.
  ///
  /// - Throws: `SignUpError`; then the state is unchanged.
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
      state.alert = .problems(problems)
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
    guard let next = Step.following(state.step) else { throw SignUpError.noNextStep }
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

  /// The summary is shown, without a sheet before it.
  private static func checkOnSummary(in state: State) throws {
    try checkNoSheet(in: state)
    guard state.step == .summary else { throw SignUpError.notOnSummary(step: state.step) }
  }

  private static func checkNoSheet(in state: State) throws {
    if let sheet = state.sheet { throw SignUpError.sheetOpen(sheet) }
  }

  /// All that the sign-up remembers, with bullets for the passwords.
  public static let fields: [Field<SignUp>] = [
    .value("path", \.path),
    .derived("step", \.step),
    .value("data", \.data),
    .value("sheet", \.sheet),
    .value("alert", \.alert),
    .value("submitted", \.submitted),
  ]

  /// Checks that the flow leads there.
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
