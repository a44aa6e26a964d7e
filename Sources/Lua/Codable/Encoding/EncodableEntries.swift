/// A dictionary that becomes a table with the same keys.
protocol EncodableEntries {
  func encodeEntries(to writer: TableWriter, table: CodingSlot, _ position: CodingPosition) throws
}

extension Dictionary: EncodableEntries where Key: DictionaryKey, Value: Encodable {
  func encodeEntries(to writer: TableWriter, table: CodingSlot, _ position: CodingPosition) throws {
    for (key, value) in self {
      try writer.setEntry(key, to: value, of: table, position)
    }
  }
}
