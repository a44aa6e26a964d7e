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
