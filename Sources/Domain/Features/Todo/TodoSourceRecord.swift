import StateStore
extension Todo {
  /// An item as sources write it: a text, or an object with a `text` and perhaps `done`.
  struct SourceRecord: Decodable, Equatable, Sendable {
    let text: String
    let done: Bool

    private enum CodingKeys: CodingKey {
      case text, done
    }

    init(text: String, done: Bool = false) {
      self.text = text
      self.done = done
    }

    init(from decoder: any Decoder) throws {
      // Which of the two forms it is can only be found out by trying them.
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        self.init(text: text)
      } else if let container = try? decoder.container(keyedBy: CodingKeys.self) {
        self.init(
          text: try container.decode(String.self, forKey: .text),
          done: try container.decodeIfPresent(Bool.self, forKey: .done) ?? false)
      } else {
        throw JSONProblem(
          decoder.codingPath,
          #"expected text, or an object like {"text": "buy milk", "done": false}"#)
      }
      guard !text.isBlank else {
        throw JSONProblem(decoder.codingPath, "the text is empty")
      }
    }
  }
}
