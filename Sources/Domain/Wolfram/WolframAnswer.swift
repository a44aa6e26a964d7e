import Foundation
import StateStore

/// A whole answer of Wolfram|Alpha.
public struct WolframAnswer: Sendable, Equatable {
  /// One of the boxes that an answer consists of.
  public struct Pod: Sendable, Equatable {
    /// What the pod shows, as a heading.
    public let title: String

    /// The kind of pod, a stable word ("Result").
    public let id: String

    /// Whether this is the pod that answers the question.
    public let primary: Bool

    /// The parts of the pod.
    public let subpods: [Subpod]
  }

  /// A part of a pod.
  public struct Subpod: Sendable, Equatable {
    /// The heading, often empty.
    public let title: String

    /// The content as text; empty for what can only be drawn.
    public let plaintext: String
  }

  /// Whether the input was understood.
  public let success: Bool

  /// The pods, in the service's order; none without a result.
  public let pods: [Pod]

  /// Other inputs that the service can read, for one that it can't.
  public let didYouMean: [String]

  /// What the service remarks on how it read the input.
  public let warnings: [String]

  /// The parts of the service (its "scanners") that ran out of time; an answer can lack their pods
  /// and be a success all the same.
  public let timedOut: [String]
}

// MARK: - Decoding

extension WolframAnswer {
  /// Reads the body of a `/v2/query` reply.
  ///
  /// Runs off the caller's actor, because a body can be ten megabytes.
  ///
  /// - Parameters:
  ///   - body: The JSON.
  ///   - quoted: Makes what the service wrote fit for messages.
  /// - Returns: The answer.
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

/// The JSON that `/v2/query` replies with, as the service really writes it.
///
/// Single values may stand for lists of one, numbers may be strings, and what doesn't apply is
/// absent. Fields that aren't named here are ignored.
struct WolframQueryReply: Decodable {
  let queryresult: QueryResult

  struct QueryResult: Decodable {
    let success: LenientFlag?
    let error: ServiceError?
    let pods: OneOrMany<Pod>?
    let didyoumeans: OneOrMany<Suggestion>?
    let warnings: OneOrMany<Warning>?
    let timedout: LenientText?
  }

  struct Pod: Decodable {
    let title: LenientText?
    let id: LenientText?
    let primary: LenientFlag?
    let subpods: OneOrMany<Subpod>?
  }

  struct Subpod: Decodable {
    let title: LenientText?
    let plaintext: LenientText?
  }

  /// `false`, `true`, or an object with a code and a message.
  struct ServiceError: Decodable {
    let isError: Bool
    let code: String?
    let message: String?

    private enum CodingKeys: String, CodingKey {
      case code, msg
    }

    init(from decoder: any Decoder) throws {
      if let flag = try? LenientFlag(from: decoder) {
        (isError, code, message) = (flag.value, nil, nil)
      } else {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isError = true
        code = try container.decodeIfPresent(LenientText.self, forKey: .code)?.value
        message = try container.decodeIfPresent(LenientText.self, forKey: .msg)?.value
      }
    }
  }

  /// An object with the suggested input in `val`, or that input itself.
  struct Suggestion: Decodable {
    let text: String

    private enum CodingKeys: String, CodingKey {
      case val
    }

    init(from decoder: any Decoder) throws {
      if let plain = try? LenientText(from: decoder) {
        text = plain.value
      } else {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try container.decode(LenientText.self, forKey: .val).value
      }
    }
  }

  /// An object with the remark in `text`, and what was read instead of the input in `new`.
  struct Warning: Decodable {
    /// Nil for a warning of another form, which says nothing that could be shown.
    let text: String?

    private enum CodingKeys: String, CodingKey {
      case text, new
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let remark = try container.decodeIfPresent(LenientText.self, forKey: .text)?.value
      let replacement = try container.decodeIfPresent(LenientText.self, forKey: .new)?.value
      text = remark.map { remark in replacement.map { "\(remark) \($0)" } ?? remark }
    }
  }
}

// The forms in which Wolfram|Alpha writes one and the same thing.

/// A list, or a single value in its place.
struct OneOrMany<Value: Decodable>: Decodable {
  let values: [Value]

  init(from decoder: any Decoder) throws {
    if var container = try? decoder.unkeyedContainer() {
      var values: [Value] = []
      while !container.isAtEnd { values.append(try container.decode(Value.self)) }
      self.values = values
    } else {
      values = [try Value(from: decoder)]
    }
  }
}

/// Text, or a number in its place.
struct LenientText: Decodable {
  let value: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      value = text
    } else if let number = try? container.decode(Int.self) {
      value = String(number)
    } else {
      value = String(try container.decode(Double.self))
    }
  }
}

/// A truth value, or the word for it in quotes.
struct LenientFlag: Decodable {
  let value: Bool

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      value = flag
      return
    }
    switch try container.decode(String.self).lowercased() {
    case "true": value = true
    case "false": value = false
    default:
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected true or false")
    }
  }
}
