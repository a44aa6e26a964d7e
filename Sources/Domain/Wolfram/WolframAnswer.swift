import PrimereplFoundation
import PrimereplLoading
public import StateStore

/// A full answer of Wolfram|Alpha.
public struct WolframAnswer: Sendable, Equatable, FieldRecord {
  /// One of the boxes that an answer consists of.
  public struct Pod: Sendable, Equatable, FieldRecord {
    /// The pod's heading.
    public let title: String
    /// The kind of pod, a stable word ("Result").
    public let id: String
    /// Whether this is the pod that answers the question.
    public let primary: Bool
    /// The parts of the pod.
    public let subpods: [Subpod]

    /// The parts as scripts see them.
    public static let fields: [RecordField<Pod>] = [
      .constant("title", \.title, help: "The pod's heading."),
      .constant("id", \.id, help: "The kind of pod, a stable word such as Result."),
      .constant("primary", \.primary, help: "Whether this pod answers the question."),
      .constant("subpods", \.subpods, help: "The parts of the pod."),
    ]
  }

  /// A part of a pod.
  public struct Subpod: Sendable, Equatable, FieldRecord {
    /// The heading, often empty.
    public let title: String
    /// The content as text; empty if it can only be drawn.
    public let plaintext: String

    /// The parts as scripts see them.
    public static let fields: [RecordField<Subpod>] = [
      .constant("title", \.title, help: "The heading, often empty."),
      .constant("plaintext", \.plaintext, help: "The content; empty if it can only be drawn."),
    ]
  }

  /// Whether the input was understood.
  public let success: Bool
  /// The pods, in the service's order; empty without a result.
  public let pods: [Pod]
  /// Inputs that the service suggests in place of one that it can't read.
  public let didYouMean: [String]
  /// The service's remarks on how it read the input.
  public let warnings: [String]
  /// The parts of the service (its "scanners") that ran out of time; a successful answer can lack their pods.
  public let timedOut: [String]

  /// The parts as scripts see them.
  public static let fields: [RecordField<WolframAnswer>] = [
    .constant("success", \.success, help: "Whether the question was understood."),
    .constant("pods", \.pods, help: "The pods, in the service's order."),
    .constant("did_you_mean", \.didYouMean, help: "Questions that the service suggests instead."),
    .constant("warnings", \.warnings, help: "Remarks on how the question was read."),
    .constant("timed_out", \.timedOut, help: "The parts of the service that ran out of time."),
  ]
}

// MARK: - Stubs

/// An answer as scripts see it, and give it in stubs; what is left out is empty, and a success.
extension WolframAnswer: Decodable {
  private enum CodingKeys: String, CodingKey {
    case success, pods, warnings
    case didYouMean = "did_you_mean"
    case timedOut = "timed_out"
  }

  /// Decodes an answer in the form that scripts see.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    success = try container.decodeIfPresent(Bool.self, forKey: .success) ?? true
    pods = try container.decodeIfPresent([Pod].self, forKey: .pods) ?? []
    didYouMean = try container.decodeIfPresent([String].self, forKey: .didYouMean) ?? []
    warnings = try container.decodeIfPresent([String].self, forKey: .warnings) ?? []
    timedOut = try container.decodeIfPresent([String].self, forKey: .timedOut) ?? []
  }
}

extension WolframAnswer.Pod: Decodable {
  /// Decodes a pod as the service writes it, and scripts see it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ServiceKey.self)
    title = try container.text(.title) ?? ""
    id = try container.text(.id) ?? ""
    primary = try container.flag(.primary)
    subpods = try container.list(.subpods)
  }
}

extension WolframAnswer.Subpod: Decodable {
  /// Decodes a subpod as the service writes it, and scripts see it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ServiceKey.self)
    title = try container.text(.title) ?? ""
    plaintext = try container.text(.plaintext) ?? ""
  }
}

// MARK: - Decoding

extension WolframAnswer {
  /// Reads the body of a `/v2/query` reply.
  ///
  /// Runs off the caller's actor, because a body can be ten megabytes. `quoted` prepares the service's text for
  /// messages.
  ///
  /// - Throws: `invalidAppID`, or `unexpectedAnswer` for what isn't an answer; `outOfMemory`, `cancelled`.
  @concurrent
  static func decode(
    _ body: Data, within memory: MemoryAllowance, quoting quoted: @Sendable (String) -> String
  ) async throws(WolframError) -> WolframAnswer {
    let reply: Reply
    do {
      let json = try CheckedJSON(body) { try Task.checkCancellation() }
      guard memory(json.decodingSize) else { throw WolframError.outOfMemory }
      reply = try JSONDecoder().decode(Reply.self, from: json.data)
    } catch let error as WolframError {
      throw error
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .unexpectedAnswer(quoted(reason(error)))
    }
    guard let failure = reply.failure else { return reply.answer }
    // "Invalid appid" and "Appid missing".
    if ["1", "2"].contains(failure.code) { throw .invalidAppID }
    let details = [failure.code, failure.message].compactMap(\.self).joined(separator: ": ")
    throw .unexpectedAnswer(
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

/// The members of the service's objects that are read.
private enum ServiceKey: String, CodingKey {
  case queryresult
  case success, error, pods, didyoumeans, warnings, timedout
  case title, id, primary, subpods, plaintext
  case code, msg, val, text, new
}

/// The JSON reply of `/v2/query`, as the service actually writes it.
///
/// A single value may stand for a list of one, a number may be a string, and fields that don't apply are absent.
private struct Reply: Decodable {
  let answer: WolframAnswer
  /// The service's own error, with the details that it gives.
  private(set) var failure: (code: String?, message: String?)?

  init(from decoder: any Decoder) throws {
    let result = try decoder.container(keyedBy: ServiceKey.self)
      .nestedContainer(keyedBy: ServiceKey.self, forKey: .queryresult)
    answer = WolframAnswer(
      success: try result.flag(.success), pods: try result.list(.pods),
      didYouMean: try result.list(.didyoumeans, of: Suggestion.self).map(\.input),
      warnings: try result.list(.warnings, of: Warning.self).compactMap(\.text),
      timedOut: (try result.text(.timedout) ?? "")
        .split(separator: ",").map { $0.trimmingWhitespace }
        .filter { !$0.isEmpty })
    if let isError = try? result.flag(.error) {
      failure = isError ? (nil, nil) : nil
    } else {
      let error = try result.nestedContainer(keyedBy: ServiceKey.self, forKey: .error)
      failure = (try error.text(.code), try error.text(.msg))
    }
  }

  /// An object with the suggested input, or that input itself.
  private struct Suggestion: Decodable {
    let input: String

    init(from decoder: any Decoder) throws {
      if let text = try? LenientText(from: decoder) {
        input = text.value
      } else {
        input = try decoder.container(keyedBy: ServiceKey.self)
          .decode(LenientText.self, forKey: .val).value
      }
    }
  }

  private struct Warning: Decodable {
    /// A remark, and the input that was read instead; nil for a warning of another form, which has no text to show.
    let text: String?

    init(from decoder: any Decoder) throws {
      let warning = try decoder.container(keyedBy: ServiceKey.self)
      let replacement = try warning.text(.new).map { " \($0)" } ?? ""
      text = try warning.text(.text).map { $0 + replacement }
    }
  }
}

extension KeyedDecodingContainer<ServiceKey> {
  fileprivate func text(_ name: Key) throws -> String? {
    try decodeIfPresent(LenientText.self, forKey: name)?.value
  }

  /// A truth value, or the word for it; false if it is absent.
  fileprivate func flag(_ name: Key) throws -> Bool {
    guard try contains(name) && !decodeNil(forKey: name) else { return false }
    if let flag = try? decode(Bool.self, forKey: name) { return flag }
    switch try decode(String.self, forKey: name).lowercased() {
    case "true": return true
    case "false": return false
    default:
      throw DecodingError.dataCorruptedError(
        forKey: name, in: self, debugDescription: "expected true or false")
    }
  }

  /// The elements of a list, or a single value in its place; empty if it is absent.
  fileprivate func list<Value: Decodable>(
    _ name: Key, of type: Value.Type = Value.self
  ) throws -> [Value] {
    guard try contains(name) && !decodeNil(forKey: name) else { return [] }
    guard var list = try? nestedUnkeyedContainer(forKey: name) else {
      return [try decode(Value.self, forKey: name)]
    }
    var values: [Value] = []
    while !list.isAtEnd { values.append(try list.decode(Value.self)) }
    return values
  }
}

/// Text, or a number in its place.
private struct LenientText: Decodable {
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
