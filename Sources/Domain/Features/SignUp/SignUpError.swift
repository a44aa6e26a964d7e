public import StateStore

/// Why something can't be done with the sign-up.
public typealias SignUpError = PlainError<SignUp>

extension SignUpError {
  static var atRoot: Self {
    Self("at_root", "There is nothing to go back to: the sign-up hasn't begun.")
  }

  static var noNextStep: Self {
    Self("no_next_step", "The summary is the last step: submit the sign-up, or go back.")
  }

  static func sheetOpen(_ sheet: SignUp.Sheet) -> Self {
    Self("sheet_open", "The sheet \(sheet.rawValue) is open: be done with it first.")
  }

  static var noSheet: Self {
    Self("no_sheet", "No sheet is open: edit a step on the summary first.")
  }

  /// The step is the one that is shown; nil for the screen before the first.
  static func notOnSummary(step: SignUp.Step?) -> Self {
    Self(
      "not_on_summary",
      "That can be done on the summary only, and this is "
        + "\(step?.rawValue ?? "before the first step"): go there first.")
  }

  /// The nearest sheet is the one with the most similar name; nil if none is similar.
  package static func notEditable(_ name: String, nearest: SignUp.Sheet?) -> Self {
    Self(
      "not_editable",
      "There is no sheet for \(quoted(name))\(advice(nearest)) What can be edited on the summary: "
        + "\(list(of: SignUp.Sheet.self)).")
  }

  static var alreadySubmitted: Self {
    Self(
      "already_submitted",
      "The sign-up was submitted and accepted already: reset it to start over.")
  }

  static var noProblems: Self {
    Self("no_problems", "A submission without problems can't be refused: accept it.")
  }

  /// The nearest topic is the one with the most similar name; nil if none is similar.
  package static func unknownTopic(_ name: String, nearest: SignUp.Topic?) -> Self {
    Self(
      "unknown_topic",
      "There is no topic \(quoted(name))\(advice(nearest)) The topics are: "
        + "\(list(of: SignUp.Topic.self)).")
  }

  static func duplicateTopic(_ topic: SignUp.Topic) -> Self {
    Self(
      "duplicate_topic",
      "The topic \"\(topic.rawValue)\" is chosen twice: choose each topic only once.")
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
