public import StateStore
/// Why Wolfram|Alpha gave no answer.
public enum WolframError: CodedError, Equatable {
  /// No app id is configured.
  case noAppID

  /// The service doesn't know the app id.
  case invalidAppID

  /// The configured address of the service isn't one.
  case invalidBaseURL

  /// Wolfram|Alpha may not be asked here.
  case notAllowed

  /// There is no prime with this number.
  case outOfRange(Int)

  /// The service couldn't read the input, and may suggest others.
  case notUnderstood(input: String, suggestions: [String])

  /// The service read the input and has nothing on it; perhaps some of its parts ran out of time.
  case noResult(input: String, timedOut: [String])

  /// The service answered with something that can't be the answer; the text says with what.
  case unexpectedAnswer(String)

  /// The service answered with an HTTP error.
  case httpStatus(Int)

  /// The service took longer than the client's timeout.
  case timedOut(Duration)

  /// There was no connection, or not for long enough; the text says why.
  case connectionFailed(String)

  /// No request can be made at all; the text says why, and what to do.
  case unavailable(String)

  /// The request was cancelled.
  case cancelled

  /// The answer has more bytes than are accepted.
  case answerTooLarge(maximumSize: Int)

  /// The word for the kind of error.
  public var code: String {
    switch self {
    case .noAppID: "no_app_id"
    case .invalidAppID: "invalid_app_id"
    case .invalidBaseURL: "invalid_base_url"
    case .notAllowed: "not_allowed"
    case .outOfRange: "out_of_range"
    case .notUnderstood: "not_understood"
    case .noResult: "no_result"
    case .unexpectedAnswer: "unexpected_answer"
    case .httpStatus: "http_status"
    case .timedOut: "timed_out"
    case .connectionFailed: "connection_failed"
    case .unavailable: "http_unavailable"
    case .cancelled: "cancelled"
    case .answerTooLarge: "answer_too_large"
    }
  }

  /// What went wrong, and what to do.
  public var message: String {
    switch self {
    case .noAppID:
      "Wolfram|Alpha needs an app id: get one at https://developer.wolframalpha.com and set "
        + "WOLFRAM_APP_ID"
    case .invalidAppID:
      "Wolfram|Alpha doesn't know this app id: check WOLFRAM_APP_ID"
    case .invalidBaseURL:
      "PRIMEREPL_WOLFRAM_URL is not an http:// or https:// address with a host and without a "
        + "query: correct it, or unset it to ask Wolfram|Alpha itself"
    case .notAllowed:
      "Wolfram|Alpha can't be asked here: in primerepl's sandbox, --allow-network allows it"
    case .outOfRange(let number):
      "there is no prime number \(number): the first is number 1"
    case .notUnderstood(let input, let suggestions):
      Self.notUnderstoodMessage(input, suggestions)
    case .noResult(let input, let timedOut):
      timedOut.isEmpty
        ? "Wolfram|Alpha has no result for “\(input)”: ask in another way"
        : "Wolfram|Alpha ran out of time on “\(input)” (in \(timedOut.joined(separator: ", "))): "
          + "try again"
    case .unexpectedAnswer(let reason):
      "Wolfram|Alpha's answer can't be used: \(reason)"
    case .httpStatus(let status):
      "Wolfram|Alpha answered with HTTP status \(status): \(HTTPStatusAdvice.advice(status))"
    case .timedOut(let timeout):
      "Wolfram|Alpha didn't answer within \(timeout.formattedSeconds): try again, or allow more time"
    case .connectionFailed(let reason):
      "the connection to Wolfram|Alpha failed (\(reason)): check the network and "
        + "PRIMEREPL_WOLFRAM_URL, then try again"
    case .unavailable(let reason):
      "Wolfram|Alpha can't be asked: \(reason)"
    case .cancelled:
      "the request to Wolfram|Alpha was cancelled: ask again if you still want the answer"
    case .answerTooLarge(let maximumSize):
      "Wolfram|Alpha's answer is larger than \(maximumSize) bytes: ask something more specific"
    }
  }

  /// What the service thinks was meant, for an input that it didn't understand.
  public var suggestions: [String] {
    if case .notUnderstood(_, let suggestions) = self { suggestions } else { [] }
  }

  /// The HTTP status, for an error that is one.
  public var status: Int? {
    if case .httpStatus(let status) = self { status } else { nil }
  }

  private static func notUnderstoodMessage(_ input: String, _ suggestions: [String]) -> String {
    let problem = "Wolfram|Alpha doesn't understand “\(input)”: "
    guard !suggestions.isEmpty else { return problem + "ask in another way" }
    return problem + "did you mean \(suggestions.map { "“\($0)”" }.joined(separator: " or "))?"
  }
}
