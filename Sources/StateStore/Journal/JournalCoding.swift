import Foundation

/// The stored form of events and histories: JSON, the same in all journals.
package struct JournalCoding: Sendable {
  private let programName: String
  private let decoder: JSONDecoder

  /// The valid numbers of entries and actions: more than any session needs.
  package static let numbers = 0...(1 << 53)

  /// Makes a coding.
  ///
  /// - Parameters:
  ///   - schema: The features.
  ///   - program: The name of the program whose sessions are stored, for messages.
  package init(_ schema: StoreSchema, of program: String) {
    programName = program
    decoder = StateCoding.decoder(for: schema)
  }

  /// - Throws: `DocumentError` for a number that JSON can't represent.
  package func encode(_ event: JournalEntry.Event) throws(DocumentError) -> String {
    try Self.json(of: event)
  }

  /// - Throws: `DocumentError` for a number that JSON can't represent.
  package func encode(_ history: HistorySnapshot) throws(DocumentError) -> String {
    try Self.json(of: history)
  }

  private static func json(of value: some Encodable) throws(DocumentError) -> String {
    do {
      return String(decoding: try StateCoding.encoder.encode(value), as: UTF8.self)
    } catch {
      throw DocumentError(encoding: error)
    }
  }

  /// Decodes events as one array, which is several times as fast as one by one.
  ///
  /// - Returns: The events; nil if any of them can't be decoded.
  package func events(from texts: [String]) -> [JournalEntry.Event]? {
    let array = "[" + texts.joined(separator: ",") + "]"
    // `event(from:number:)` gives the reason.
    let events = try? decoder.decode([JournalEntry.Event].self, from: Data(array.utf8))
    // Texts that aren't JSON by themselves may together look like a different number of events.
    return events?.count == texts.count ? events : nil
  }

  /// Decodes the event of the entry with a number.
  ///
  /// - Throws: `JournalError.otherVersion`, or `DocumentError` if the text is damaged.
  package func event(from text: String, number: Int) throws -> JournalEntry.Event {
    try decode(text, number: number)
  }

  /// Decodes the history of the checkpoint after the entry with a number.
  ///
  /// - Throws: `JournalError.otherVersion`, or `DocumentError` if the text is damaged.
  package func history(from text: String, number: Int) throws -> HistorySnapshot {
    let history: HistorySnapshot = try decode(text, number: number)
    guard Self.numbers.contains(history.offset),
      (history.offset...history.offset + history.actions.count).contains(history.position)
    else { throw DocumentError("position", "the history has no such action") }
    return history
  }

  private func decode<Value: Decodable>(_ text: String, number: Int) throws -> Value {
    let json = Data(text.utf8)
    do {
      return try decoder.decode(Value.self, from: json)
    } catch let error as StoredFormError {
      throw JournalError.otherVersion(entry: number, of: programName, reason: error.message)
    } catch {
      throw DocumentError(describing: error, in: json)
    }
  }
}
