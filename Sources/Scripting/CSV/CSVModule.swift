import Lua
import StateStore

extension LuaModule {
  /// The module `csv`: lists as comma-separated values (RFC 4180), and back.
  ///
  /// It is valid only for the state of the marks.
  static func csv(_ marks: JSONMarks) -> LuaModule {
    LuaModule("csv", help: "CSV: lists as text with commas, as spreadsheets write it, and back.") {
      module in
      module.function(
        "decode", "text", "options",
        help:
          "Reads the lines of a text: as tables by the names in the first one; all values are texts.",
        example:
          "for _, row in ipairs(csv.decode(\"name,age\\nAnn,40\")) do print(row.name, row.age) end"
      ) { (text: [UInt8], options: CSVReadingOptions?) throws -> LuaValue in
        try marks.value(ofCSV: text, options ?? CSVReadingOptions())
      }
      module.function(
        "encode", "list", "options",
        help: "Writes a list: records with a header, or lists of cells.",
        example:
          "print(csv.encode({ { name = \"Ann\", age = 40 } }, { columns = { \"name\", \"age\" } }))"
      ) { (list: JSONArgument, options: CSVWritingOptions?) throws -> String in
        try marks.csv(of: list.value, options ?? CSVWritingOptions())
      }
    }
  }
}

private struct CSVReadingOptions: LuaOptions {
  var hasHeader = true
  var separator = CSVSeparator()

  static let options: [LuaOption<CSVReadingOptions>] = [
    .option("header", \.hasHeader, help: "Whether the first line has the names of the columns."),
    .option("separator", \.separator, help: "The character between two cells."),
  ]
}

struct CSVWritingOptions: LuaOptions {
  fileprivate var hasHeader = true
  fileprivate var separator = CSVSeparator()
  fileprivate var columns: [String]?

  static let options: [LuaOption<CSVWritingOptions>] = [
    .option("columns", \.columns, help: "The names of the columns, in their order."),
    .option("header", \.hasHeader, help: "Whether the first line has the names of the columns."),
    .option("separator", \.separator, help: "The character between two cells."),
  ]
}

/// A character of ASCII between two cells.
private struct CSVSeparator: LuaReadable {
  var byte = UInt8(ascii: ",")

  static let luaTypeName = "string"

  var text: String { String(Unicode.Scalar(byte)) }

  init() {}

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    let text = try String.read(from: stack, at: index)
    guard text.utf8.count == 1, let byte = text.utf8.first, !"\"\r\n".utf8.contains(byte) else {
      throw LuaTypeMismatch(
        expected: "a separator such as \",\" or \"\\t\"", got: text.shortenedForMessage.luaLiteral)
    }
    var separator = CSVSeparator()
    separator.byte = byte
    return separator
  }
}

extension JSONMarks {
  fileprivate func value(ofCSV text: [UInt8], _ options: CSVReadingOptions) throws -> LuaValue {
    try text.withUnsafeBufferPointer { bytes in
      var reader = CSVReader(bytes, separator: options.separator.byte)
      let names = options.hasHeader ? try Self.header(&reader) : []
      return try openState().makeValue { builder in
        try builder.beginTable(isSequence: true)
        while reader.findLine() {
          try builder.beginTable(isSequence: names.isEmpty)
          try Self.addCells(of: &reader, names, to: &builder)
          try builder.endTable()
        }
        try builder.endTable()
      }
    }
  }

  private static func header(_ reader: inout CSVReader) throws -> [[UInt8]] {
    var names: [[UInt8]] = []
    guard reader.findLine() else { return [] }
    var known: Set<[UInt8]> = []
    while true {
      let line = reader.line
      let end = try reader.cell { names.append(Array($0)) }
      // Spreadsheets write columns without a name, whose cells are left out.
      if let name = names.last, !name.isEmpty, !known.insert(name).inserted {
        throw CSVError.repeatedColumn(String(decoding: name, as: UTF8.self), line: line)
      }
      if end == .line { return names }
    }
  }

  private static func addCells(
    of reader: inout CSVReader, _ names: [[UInt8]], to builder: inout LuaValueBuilder
  ) throws {
    for column in 0... {
      guard names.isEmpty || column < names.count else {
        throw CSVError.tooManyCells(line: reader.line, columnCount: names.count)
      }
      let isLeftOut = !names.isEmpty && names[column].isEmpty
      if !names.isEmpty, !isLeftOut {
        try names[column].withUnsafeBufferPointer { try builder.setName($0) }
      }
      if try reader.cell({ if !isLeftOut { try builder.add($0) } }) == .line { return }
    }
  }

  func csv(of list: LuaValue, _ options: CSVWritingOptions) throws -> String {
    if case .userdata(let object) = list, let list = try object.hostObject() as? ListObject {
      return try list.csv(options)
    }
    let value: StateValue
    do {
      value = try JSONWriter.value(of: list, self)
    } catch var error as JSONError {
      error.format = "CSV"
      throw error
    }
    guard let rows = value.csvRows else {
      throw LuaError(
        .badArgument, "csv.encode writes a list of tables with names, of lists, or of single values"
      )
    }
    return CSVText(rows, options).text
  }
}

extension ListObject {
  /// The records with all that is shown of them, in their order.
  func csv(_ options: CSVWritingOptions) throws -> String {
    let rows = try ids.map { try record($0).contents().csvRow }
    let names = listClass.record.type.memberNames
    if let unknown = options.columns?.first(where: { !names.contains($0) }) {
      throw LuaError(
        .badArgument,
        "the records have no field '\(unknown.shortenedForMessage)'"
          + (unknown.suggestion(of: names) ?? ": they have \(names.joined(separator: ", "))"))
    }
    return CSVText(rows, options, columns: names).text
  }
}

extension RecordObject.Contents {
  /// The members, with all places of decimal numbers.
  fileprivate var csvRow: StateValue {
    .record(
      fields.map { field in
        let text = field.type?.decimalPlaces?.text(of: field.value)
        return .init(name: field.name, value: text.map { .text($0) } ?? field.value)
      })
  }
}

extension CSVText {
  fileprivate init(
    _ rows: [StateValue], _ options: CSVWritingOptions, columns: [String]? = nil
  ) {
    self.init(
      rows, columns: options.columns ?? columns, separator: options.separator.text,
      hasHeader: options.hasHeader)
  }
}
