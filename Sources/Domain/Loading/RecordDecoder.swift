import Foundation
import StateStore

/// Decodes a source's content, and explains in a user's words what is wrong with it.
struct RecordDecoder {
  /// The source's name for errors.
  let source: String

  /// Decodes a JSON array of records: UTF-8 text, perhaps with a byte order mark.
  ///
  /// It throws `SourceError.notJSON`, `wrongShape`, or `cancelled`.
  func records<Record: Decodable>(
    of type: Record.Type, from content: Data
  ) throws(SourceError) -> [Record] {
    let json = try text(of: content, atLeast: "[]")
    do {
      return try JSONDecoder().decode(LoadedRecords<Record>.self, from: json).records
    } catch is CancellationError {
      throw .cancelled(source)
    } catch let failure as LoadedRecords<Record>.Failure {
      try checkSyntax(json)
      throw .wrongShape(source, reason: reason(failure))
    } catch {
      try checkSyntax(json)
      guard let kind = kindOfNoList(json) else {
        throw .notJSON(source, reason: "not valid JSON: correct it")
      }
      throw .wrongShape(source, reason: "expected a list of records, found \(kind.phrase)")
    }
  }

  /// Decodes a JSON array of records, no two of which may have the same id; otherwise the same as
  /// `records(of:from:)`.
  func identifiedRecords<Record: Decodable & Identifiable>(
    of type: Record.Type, from content: Data
  ) throws(SourceError) -> [Record] {
    let records = try records(of: type, from: content)
    var firstPlaces = [Record.ID: Int](minimumCapacity: records.count)
    for (index, record) in records.enumerated() {
      if let first = firstPlaces.updateValue(index, forKey: record.id) {
        throw .wrongShape(
          source,
          reason: "record \(index + 1): id: \(record.id) is the id of record \(first + 1) already")
      }
    }
    return records
  }

  /// Decodes a JSON object with the states of features, and has the features check them.
  ///
  /// It throws `SourceError.notJSON`, or `wrongShape`, which says where.
  func states(
    of schema: Schema, from content: Data
  ) throws(SourceError) -> States {
    let json = try text(of: content, atLeast: "{}")
    do throws(DocumentError) {
      return try StateDocument.states(from: json, schema)
    } catch {
      try checkSyntax(json)
      throw .wrongShape(source, reason: error.message)
    }
  }

  // MARK: - Text and syntax

  /// The text without its byte order mark.
  private func text(of content: Data, atLeast empty: String) throws(SourceError) -> Data {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let json = content.starts(with: byteOrderMark) ? Data(content.dropFirst(3)) : content
    try checkText(json, atLeast: empty)
    return json
  }

  private func checkText(_ json: Data, atLeast empty: String) throws(SourceError) {
    guard String(validating: json, as: UTF8.self) != nil else {
      let repaired = String(decoding: json, as: UTF8.self).utf8
      let valid = zip(json, repaired).prefix { $0 == $1 }.count
      throw .notJSON(
        source, reason: "\(position(valid, in: json)): not UTF-8 text: save the file as UTF-8")
    }
    guard json.contains(where: { !isBlank($0) }) else {
      throw .notJSON(source, reason: "is empty: at least \(empty) is needed")
    }
    guard !JSONNames.haveOneTooLong(in: json) else {
      throw .wrongShape(source, reason: "a member's name is longer than any that is known")
    }
  }

  /// Throws if this isn't valid JSON, by `JSONSerialization`: only that says where the error is.
  private func checkSyntax(_ json: Data) throws(SourceError) {
    do {
      _ = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    } catch {
      let information = (error as NSError).userInfo
      let description = information[NSDebugDescriptionErrorKey] as? String ?? ""
      let place = /around character (\d+)/
      let offset =
        information["NSJSONSerializationErrorIndex"] as? Int
        ?? description.firstMatch(of: place).flatMap { Int($0.output.1) }
      let location = offset.map { "\(position($0, in: json)): " } ?? ""
      let problem = description.replacing(/\ around\ .*$|\.$/, with: "")
      throw .notJSON(source, reason: "\(location)not valid JSON: \(problem)")
    }
  }

  /// The line and column of a byte, both counted from 1, the column in characters.
  private func position(_ offset: Int, in json: Data) -> String {
    let before = json.prefix(offset)
    let newline = UInt8(ascii: "\n")
    let line = before.count { $0 == newline } + 1
    let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? before.startIndex
    let column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
    return "line \(line), column \(column)"
  }

  /// The kind of the outermost value, judging by its first byte; nil for a list.
  private func kindOfNoList(_ json: Data) -> JSONKind? {
    switch json.first(where: { !isBlank($0) }) {
    case UInt8(ascii: "["): nil
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "\""): .text
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    default: .number
    }
  }

  /// Whether a byte is one of JSON's four white-space characters (RFC 8259, section 2).
  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  // MARK: - Shape

  private func reason<Record>(_ failure: LoadedRecords<Record>.Failure) -> String {
    let record = "record \(failure.index + 1)"
    if let error = failure.error as? any CodedError { return "\(record): \(error.message)" }
    guard failure.error is DocumentError || failure.error is DecodingError else {
      // JSONDecoder has no public error for a number that its type can't hold, and doesn't say where it is.
      let fields = failure.otherNumbers
      let field = fields.isEmpty ? "" : "\(fields.joined(separator: " or ")): "
      return "\(record): \(field)a number that doesn't fit; whole numbers have no fraction"
    }
    let problem = DocumentError(describing: failure.error) { _ in failure.found }
    return "\(place(problem.path, record)): \(problem.reason)"
  }

  /// Names a record and a field in it: "record 3: address.street".
  private func place(_ path: [any CodingKey], _ record: String) -> String {
    let field = path.dropFirst().map { key in
      key.intValue.map { String($0 + 1) } ?? key.stringValue
    }
    return field.isEmpty ? record : "\(record): \(field.joined(separator: "."))"
  }
}

/// A JSON array of records, whose decoding error gives the index of the first bad record.
struct LoadedRecords<Record: Decodable>: Decodable {
  /// A record that can't be decoded.
  struct Failure: Error {
    /// The record's position, counted from 0.
    let index: Int

    let error: any Error

    /// The kind of value at the error's path; nil if it can't be determined.
    let found: JSONKind?

    /// If the error doesn't name the field: the fields whose numbers fit no `Int`.
    let otherNumbers: [String]

    /// Inspects the bad record; details that can't be determined are left out, since the error itself matters more.
    fileprivate init(_ error: any Error, at index: Int, in decoder: (any Decoder)?) {
      self.index = index
      self.error = error
      switch error {
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
        let path = context.codingPath.dropFirst()
        found = decoder.flatMap { try? JSONKind(at: path, of: $0) }
        otherNumbers = []
      case is DecodingError, is DocumentError, is any CodedError:
        found = nil
        otherNumbers = []
      default:
        found = nil
        otherNumbers = decoder.flatMap { try? JSONKind.membersWithOtherNumbers(of: $0) } ?? []
      }
    }
  }

  let records: [Record]

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var records: [Record] = []
    while !container.isAtEnd {
      guard !Task.isCancelled else { throw CancellationError() }
      do {
        records.append(try container.decode(Record.self))
      } catch {
        // The container stays at the record that failed.
        throw Failure(error, at: container.currentIndex, in: try? container.superDecoder())
      }
    }
    self.records = records
  }
}
