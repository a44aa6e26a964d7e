/// A dictionary that is made of a table with the same keys.
protocol DecodableEntries {
  init(entriesOf reader: TableReader, _ slot: CodingSlot, _ position: CodingPosition) throws
}

extension Dictionary: DecodableEntries where Key: DictionaryKey, Value: Decodable {
  init(entriesOf reader: TableReader, _ slot: CodingSlot, _ position: CodingPosition) throws {
    let access = try reader.openTable(slot, position)
    let keys = try reader.keys(Key.self, of: slot, access, position)
    self.init(minimumCapacity: keys.count)
    for key in keys {
      let value: Value = try reader.entry(key, of: slot, access, position)
      updateValue(value, forKey: key)
    }
  }
}
