public import Foundation
import Platform
package import StateStore

/// Decodes a JSON document, and explains in a user's words what is wrong with it.
public struct DocumentDecoder {
  /// The name of the document's source, for errors.
  private let source: String

  /// Makes a decoder.
  ///
  /// - Parameter source: The name of the document's source, for errors.
  public init(source: String) { self.source = source }

  /// Decodes a JSON array of records: UTF-8 text, perhaps with a byte order mark.
  ///
  /// - Parameters:
  ///   - type: The type of the records.
  ///   - content: The document.
  /// - Returns: The records in their order.
  /// - Throws: ``SourceError``, which names the record and the field; also if the task is cancelled.
  public func records<Record: Decodable>(
    of type: Record.Type, from content: Data
  ) throws(SourceError) -> [Record] {
    let json = try text(of: content)
    do {
      return try JSONDecoder().decode(RecordArray<Record>.self, from: json).records
    } catch is CancellationError {
      throw .cancelled(source)
    } catch let failure as RecordArray<Record>.Failure {
      try checkSyntax(json)
      throw .wrongShape(source, reason: reason(failure, in: json))
    } catch {
      try checkSyntax(json)
      throw .wrongShape(source, reason: DocumentError(describing: error, in: json).message)
    }
  }

  /// Decodes a JSON array of records, no two of which may have the same id; otherwise the same as
  /// ``records(of:from:)``.
  public func identifiedRecords<Record: Decodable & Identifiable>(
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

  /// Decodes a JSON object with the states of features, which the features check.
  ///
  /// - Throws: ``SourceError``, which names the place of the problem.
  package func states(
    of schema: StoreSchema, from content: Data
  ) throws(SourceError) -> States {
    let json = try text(of: content)
    do throws(DocumentError) {
      return try StateDocument.states(from: json, schema)
    } catch {
      try checkSyntax(json)
      throw .wrongShape(source, reason: error.message.printable)
    }
  }

  // MARK: - Text and syntax

  /// The text without its byte order mark.
  private func text(of content: Data) throws(SourceError) -> Data {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let json = content.starts(with: byteOrderMark) ? Data(content.dropFirst(3)) : content
    guard String(validating: json, as: UTF8.self) != nil else {
      let repaired = String(decoding: json, as: UTF8.self).utf8
      let valid = zip(json, repaired).prefix { $0 == $1 }.count
      throw .notJSON(
        source, reason: "\(position(valid, in: json)): not UTF-8 text: save the file as UTF-8")
    }
    // JSON's four white-space characters (RFC 8259, section 2).
    guard !json.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      throw .notJSON(source, reason: "is empty: expected JSON")
    }
    return json
  }

  /// Throws if this isn't valid JSON, by `JSONSerialization`, which reports where the error is.
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

  // MARK: - Shape

  /// The record, the field in it, and the problem: "record 3: address.street: is missing".
  private func reason<Record>(_ failure: RecordArray<Record>.Failure, in json: Data) -> String {
    let problem = DocumentError(describing: failure.error, in: json)
    let field = problem.path.dropFirst().map { key in
      key.intValue.map { String($0 + 1) } ?? key.stringValue
    }
    let place = field.isEmpty ? "" : "\(field.joined(separator: ".")): "
    return "record \(failure.index + 1): \(place)\(problem.reason)"
  }
}

/// A JSON array of records, whose decoding error has the index of the first bad record.
private struct RecordArray<Record: Decodable>: Decodable {
  /// A record that can't be decoded.
  struct Failure: Error {
    /// The record's position, counted from 0.
    let index: Int
    let error: any Error
  }

  let records: [Record]

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var records: [Record] = []
    while !container.isAtEnd {
      try Task.checkCancellation()
      do {
        records.append(try container.decode(Record.self))
      } catch {
        // The container stays at the record that failed.
        throw Failure(index: container.currentIndex, error: error)
      }
    }
    self.records = records
  }
}
