public import PrimereplFoundation
import PrimereplPlatform
package import StateStore

/// Decodes a JSON document, and explains in a user's words what is wrong with it.
public struct DocumentDecoder {
  private let source: String
  private let memory: MemoryAllowance

  /// Makes a decoder.
  ///
  /// - Parameters:
  ///   - source: The name of the document's source, for errors.
  ///   - memory: The memory that decoding may take.
  public init(source: String, memory: @escaping MemoryAllowance = { _ in true }) {
    (self.source, self.memory) = (source, memory)
  }

  /// Decodes a JSON array of records, in their order.
  ///
  /// - Throws: ``SourceError``, which names the record and the field; also if the task is cancelled.
  public func records<Record: Decodable>(
    of type: Record.Type, from content: Data
  ) throws(SourceError) -> [Record] {
    let json = try checked(content)
    do {
      return try JSONDecoder().decode(
        RecordArray<Record>.self, from: json, configuration: memory
      ).records
    } catch is CancellationError {
      throw .cancelled(source)
    } catch is OutOfMemory {
      throw .outOfMemory(source)
    } catch let failure as RecordArray<Record>.Failure {
      throw .wrongShape(source, reason: reason(failure, in: json))
    } catch {
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
    let json = try checked(content)
    do throws(DocumentError) {
      return try StateDocument.states(from: json, schema)
    } catch {
      throw .wrongShape(source, reason: error.message.printable)
    }
  }

  /// The document for Foundation's decoder, if it is JSON, and there is memory to decode it.
  private func checked(_ content: Data) throws(SourceError) -> Data {
    do {
      let json = try CheckedJSON(content) { try Task.checkCancellation() }
      guard memory(json.decodingSize) else { throw SourceError.outOfMemory(source) }
      return json.data
    } catch let error as SourceError {
      throw error
    } catch let mistake as JSONMistake {
      let (line, column) = mistake.position(in: Array(content))
      throw .notJSON(
        source, reason: "line \(line), column \(column): not JSON: \(mistake.problem.printable)")
    } catch {
      throw .cancelled(source)
    }
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

private struct OutOfMemory: Error {}

/// A JSON array of records, whose decoding error has the index of the first bad record.
private struct RecordArray<Record: Decodable>: DecodableWithConfiguration {
  struct Failure: Error {
    /// Counted from 0.
    let index: Int
    let error: any Error
  }

  let records: [Record]

  init(from decoder: any Decoder, configuration memory: @escaping MemoryAllowance) throws {
    var container = try decoder.unkeyedContainer()
    var records: [Record] = []
    while !container.isAtEnd {
      try Task.checkCancellation()
      if records.count.isMultiple(of: 1_024), !memory(0) { throw OutOfMemory() }
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
