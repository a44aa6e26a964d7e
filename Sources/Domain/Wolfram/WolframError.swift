import PrimereplLoading
public import StateStore

/// Why Wolfram|Alpha gave no answer.
public struct WolframError: CodedError, Equatable {
  /// The stable word for the kind of error.
  public let code: String
  /// The problem and its remedy.
  public let message: String
  /// The service's suggestions for an input that it didn't understand.
  public let suggestions: [String]
  /// The HTTP status, if the error is one.
  public let status: Int?

  private init(
    _ code: String, _ message: String, suggestions: [String] = [], status: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.suggestions = suggestions
    self.status = status
  }

  static let noAppID = Self(
    "no_app_id",
    "Wolfram|Alpha needs an app id: get one at https://developer.wolframalpha.com and set "
      + "WOLFRAM_APP_ID")

  static let invalidAppID = Self(
    "invalid_app_id", "Wolfram|Alpha doesn't know this app id: check WOLFRAM_APP_ID")

  static let invalidBaseURL = Self(
    "invalid_base_url",
    "PRIMEREPL_WOLFRAM_URL is not an http:// or https:// address with a host and without a query: "
      + "correct it, or unset it to use Wolfram|Alpha itself")

  static let notAllowed = Self(
    "not_allowed",
    "Wolfram|Alpha can't be reached from the sandbox: add --allow-network")

  static func outOfRange(_ number: Int) -> Self {
    Self("out_of_range", "prime number \(number) doesn't exist: the first is number 1")
  }

  static func notUnderstood(input: String, suggestions: [String]) -> Self {
    let meant = suggestions.map { "“\($0)”" }.joined(separator: " or ")
    return Self(
      "not_understood",
      "Wolfram|Alpha doesn't understand “\(input)”: "
        + (suggestions.isEmpty ? "rephrase the question" : "did you mean \(meant)?"),
      suggestions: suggestions)
  }

  static func noResult(input: String, timedOut: [String]) -> Self {
    Self(
      "no_result",
      timedOut.isEmpty
        ? "Wolfram|Alpha has no result for “\(input)”: rephrase the question"
        : "Wolfram|Alpha ran out of time on “\(input)” (in \(timedOut.joined(separator: ", "))): "
          + "try again")
  }

  static func unexpectedAnswer(_ reason: String) -> Self {
    Self("unexpected_answer", "Wolfram|Alpha's answer can't be used: \(reason)")
  }

  static func httpStatus(_ status: Int) -> Self {
    Self(
      "http_status",
      "Wolfram|Alpha answered with HTTP status \(status): \(HTTPReply.advice(onStatus: status))",
      status: status)
  }

  static func timedOut(_ timeout: Duration) -> Self {
    Self(
      "timed_out",
      "Wolfram|Alpha didn't answer within \(timeout.formattedSeconds): try again, or allow more time"
    )
  }

  static func connectionFailed(_ reason: String) -> Self {
    Self(
      "connection_failed",
      "the connection to Wolfram|Alpha failed (\(reason)): check the network and "
        + "PRIMEREPL_WOLFRAM_URL, then try again")
  }

  /// The reason says why no request can be made, and what to do.
  static func unavailable(_ reason: String) -> Self {
    Self("http_unavailable", "Wolfram|Alpha can't be asked: \(reason)")
  }

  static let cancelled = Self(
    "cancelled",
    "the request to Wolfram|Alpha was cancelled: ask again if you still want the answer")

  static let outOfMemory = Self(
    "out_of_memory",
    "there isn't enough memory for Wolfram|Alpha's answer: ask something more specific, or raise "
      + "the memory limit")

  static func answerTooLarge(maximumSize: Int) -> Self {
    Self(
      "answer_too_large",
      "Wolfram|Alpha's answer is larger than \(maximumSize) bytes: ask something more specific")
  }
}
