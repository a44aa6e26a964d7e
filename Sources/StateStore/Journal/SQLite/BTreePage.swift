/// A page of one of the trees in a SQLite file: a table's, or one of a table without row ids.
///
/// The numbers are where SQLite's "Database File Format" has them. Every position is checked, as the page may be anything:
/// what isn't there is nil, or missing.
struct BTreePage {
  /// What a page has of its tree.
  enum Kind: Int {
    /// The numbers of the pages below it, which have a table's rows.
    case tableInterior = 0x05
    /// Rows of a table.
    case tableLeaf = 0x0D
    /// Rows of a table without row ids, which is an index to SQLite.
    case indexLeaf = 0x0A
  }

  /// A value in a column, as far as it is asked for.
  enum Value: Equatable {
    case text(String)
    case number(Int64)
    case other
  }

  /// What the page is of its tree.
  let kind: Kind

  private let bytes: ArraySlice<UInt8>
  /// Where the page says what it is: in the first one, after the header of the file.
  private let start: Int

  /// Texts that are longer aren't read.
  private static let longestText = 64

  /// Nil for what isn't such a page.
  init?(_ bytes: ArraySlice<UInt8>, isFirst: Bool = false) {
    self.bytes = bytes
    start = isFirst ? StateFileHeader.size : 0
    guard let kind = bytes.dropFirst(start).first.flatMap({ Kind(rawValue: Int($0)) }) else {
      return nil
    }
    self.kind = kind
  }

  /// The numbers of the pages right below this one.
  var children: [Int] {
    guard kind == .tableInterior else { return [] }
    return (cells + [start + 8]).compactMap { number(ofBytes: 4, at: $0) }.map(Int.init)
  }

  /// The first columns of the rows, as far as they are on the page.
  var rows: [[Value]] {
    switch kind {
    case .tableLeaf: cells.map { row(at: $0, isNumbered: true) }
    case .indexLeaf: cells.map { row(at: $0, isNumbered: false) }
    case .tableInterior: []
    }
  }

  /// The positions of what the page has.
  private var cells: [Int] {
    let header = kind == .tableInterior ? 12 : 8
    guard let count = number(ofBytes: 2, at: start + 3) else { return [] }
    // Each position takes two bytes of the page.
    return (0..<min(Int(count & 0xFFFF), bytes.count / 2)).compactMap { cell in
      number(ofBytes: 2, at: start + header + 2 * cell).map { Int($0 & 0xFFFF) }
    }
  }

  private func row(at position: Int, isNumbered: Bool) -> [Value] {
    var position = position
    // The size of the row comes first, and then its number.
    guard varint(&position) != nil, !isNumbered || varint(&position) != nil else { return [] }
    let header = position
    guard let headerSize = varint(&position) else { return [] }
    var types: [Int] = []
    while position < header + headerSize {
      guard let type = varint(&position) else { return [] }
      types.append(type)
    }
    var values: [Value] = []
    for type in types {
      let size = Self.size(ofType: type)
      guard let value = value(ofType: type, size: size, at: position) else { break }
      values.append(value)
      position += size
    }
    return values
  }

  /// How many bytes a value has.
  private static func size(ofType type: Int) -> Int {
    switch type {
    case 1...4: type
    case 5: 6
    case 6, 7: 8
    case 12...: (type - 12) / 2
    default: 0
    }
  }

  private func value(ofType type: Int, size: Int, at position: Int) -> Value? {
    switch type {
    case 1...6: return number(ofBytes: size, at: position).map(Value.number)
    case 8, 9: return .number(Int64(type - 8))
    case 13... where type % 2 == 1 && size < Self.longestText:
      return slice(position, count: size).map { .text(String(decoding: $0, as: UTF8.self)) }
    default: return .other
    }
  }

  /// A signed number, the most significant byte first.
  private func number(ofBytes count: Int, at position: Int) -> Int64? {
    guard let digits = slice(position, count: count), let first = digits.first else { return nil }
    let sign: Int64 = first & 0x80 == 0 ? 0 : -1
    return digits.reduce(sign) { $0 << 8 | Int64($1) }
  }

  /// Reads a number of as many bytes as it needs; greater ones than have room in four don't occur.
  private func varint(_ position: inout Int) -> Int? {
    var value = 0
    for _ in 0..<4 {
      guard let next = slice(position, count: 1)?.first.map(Int.init) else { return nil }
      position += 1
      value = value << 7 | next & 0x7F
      if next & 0x80 == 0 { return value }
    }
    return nil
  }

  private func slice(_ offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset + count <= bytes.count else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
  }
}
