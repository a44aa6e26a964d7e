import StateStore
import Foundation

extension WolframAnswer {
  /// Reads the body of a `/v2/query` reply.
  ///
  /// Runs off the caller's actor, because a body can be ten megabytes.
  ///
  /// - Parameters:
  ///   - body: the JSON.
  ///   - quoted: makes what the service wrote fit for messages.
  /// - Returns: the answer.
  /// - Throws: `invalidAppID`, or `unexpectedAnswer` for what isn't an answer.
  @concurrent
  static func decode(
    _ body: Data, quoting quoted: @Sendable (String) -> String
  ) async throws(WolframError) -> WolframAnswer {
    guard !JSONNames.haveOneTooLong(in: body) else {
      throw .unexpectedAnswer("a member's name is longer than any that is known")
    }
    let result: WolframQueryReply.QueryResult
    do {
      result = try JSONDecoder().decode(WolframQueryReply.self, from: body).queryresult
    } catch {
      throw .unexpectedAnswer(quoted(reason(error)))
    }
    if let error = result.error, error.isError { throw serviceError(error, quoted) }
    return WolframAnswer(result)
  }

  private init(_ result: WolframQueryReply.QueryResult) {
    success = result.success?.value ?? false
    pods = (result.pods?.values ?? []).map { pod in
      Pod(
        title: pod.title?.value ?? "",
        id: pod.id?.value ?? "",
        primary: pod.primary?.value ?? false,
        subpods: (pod.subpods?.values ?? []).map { subpod in
          Subpod(title: subpod.title?.value ?? "", plaintext: subpod.plaintext?.value ?? "")
        })
    }
    didYouMean = (result.didyoumeans?.values ?? []).map(\.text)
    warnings = (result.warnings?.values ?? []).compactMap(\.text)
    timedOut = (result.timedout?.value ?? "")
      .split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// The service's errors 1 and 2 are "Invalid appid" and "Appid missing".
  private static func serviceError(
    _ error: WolframQueryReply.ServiceError, _ quoted: (String) -> String
  ) -> WolframError {
    if error.code == "1" || error.code == "2" { return .invalidAppID }
    let details = [error.code, error.message].compactMap(\.self).joined(separator: ": ")
    return .unexpectedAnswer(
      quoted(
        "the service reports an error\(details.isEmpty ? "" : " (\(details))"); try again later"))
  }

  private static func reason(_ error: any Error) -> String {
    let advice = "check PRIMEREPL_WOLFRAM_URL, or try again later"
    let path: [any CodingKey] =
      switch error as? DecodingError {
      case .typeMismatch(_, let context), .valueNotFound(_, let context): context.codingPath
      case .keyNotFound(let key, let context): context.codingPath + [key]
      default: []
      }
    guard !path.isEmpty else { return "it is not JSON of the documented form; \(advice)" }
    let field = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    return "its field \(field) is missing or not of the documented form; \(advice)"
  }
}
