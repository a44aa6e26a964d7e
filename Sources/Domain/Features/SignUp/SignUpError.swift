public import StateStore
/// Why something can't be done with the sign-up.
public enum SignUpError: CodedError, Equatable {
  /// There is nothing before the screen that is shown.
  case atRoot
  /// There is no step after the summary.
  case noNextStep
  /// A sheet is before what was meant.
  case sheetOpen(SignUp.Sheet)
  /// There is no sheet to close.
  case noSheet
  /// It can be done on the summary only; nil for the screen before the first step.
  case notOnSummary(step: SignUp.Step?)
  /// No sheet has that name; the nearest that one has, if it is near.
  case notEditable(String, nearest: SignUp.Sheet?)
  /// The record was accepted already.
  case alreadySubmitted
  /// A submission can be refused only for a reason.
  case noProblems
  /// No topic has that name; the nearest that one has, if it is near.
  case unknownTopic(String, nearest: SignUp.Topic?)
  /// A topic can be chosen once only.
  case duplicateTopic(SignUp.Topic)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .atRoot: "at_root"
    case .noNextStep: "no_next_step"
    case .sheetOpen: "sheet_open"
    case .noSheet: "no_sheet"
    case .notOnSummary: "not_on_summary"
    case .notEditable: "not_editable"
    case .alreadySubmitted: "already_submitted"
    case .noProblems: "no_problems"
    case .unknownTopic: "unknown_topic"
    case .duplicateTopic: "duplicate_topic"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .atRoot:
      "There is nothing to go back to: the sign-up hasn't begun."
    case .noNextStep:
      "The summary is the last step: submit the sign-up, or go back."
    case .sheetOpen(let sheet):
      "The sheet \(sheet.rawValue) is open: be done with it first."
    case .noSheet:
      "No sheet is open: edit a step on the summary first."
    case .notOnSummary(let step):
      "That can be done on the summary only, and this is "
        + "\(step?.rawValue ?? "before the first step"): go there first."
    case .notEditable(let name, let nearest):
      "There is no sheet for \(Self.quoted(name))\(Self.advice(nearest)) "
        + "What can be edited on the summary: \(Self.list(of: SignUp.Sheet.self))."
    case .alreadySubmitted:
      "The sign-up was submitted and accepted already: reset it to start over."
    case .noProblems:
      "A submission without problems can't be refused: accept it."
    case .unknownTopic(let name, let nearest):
      "There is no topic \(Self.quoted(name))\(Self.advice(nearest)) "
        + "The topics are: \(Self.list(of: SignUp.Topic.self))."
    case .duplicateTopic(let topic):
      "The topic \"\(topic.rawValue)\" is chosen twice: choose each topic only once."
    }
  }

  private static func quoted(_ name: String) -> String { "\"\(ExternalText.quoted(name))\"" }

  private static func advice<Name: RawRepresentable<String>>(_ nearest: Name?) -> String {
    nearest.map { ": did you mean \"\($0.rawValue)\"?" } ?? "."
  }

  private static func list<Name: CaseIterable & RawRepresentable<String>>(
    of names: Name.Type
  ) -> String {
    names.allCases.map(\.rawValue).joined(separator: ", ")
  }
}
