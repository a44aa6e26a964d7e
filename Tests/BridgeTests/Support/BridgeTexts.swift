import PrimereplBridge
import PrimereplDomain

@testable import Scripting
@testable import StateStore

/// The texts of the app's actions.
@MainActor
enum BridgeTexts {
  static func text<F: Feature>(of action: F.Action, in feature: F.Type) throws -> String {
    try text(of: FeatureAction<F>(action))
  }

  /// The text of a phase of a request.
  static func text<F, Question, Answer>(
    of phase: RequestPhase<Question, Answer>, of request: Request<F, Question, Answer>
  ) throws -> String {
    try text(of: RequestEvent(request.handler, number: 7, phase))
  }

  private static func text(of action: any FeatureActionBox) throws -> String {
    let app = try AppInLua()
    return app.session.texts.text(of: StoreAction(.feature(action, at: nil)))
  }
}
