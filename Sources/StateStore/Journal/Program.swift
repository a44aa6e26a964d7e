/// The program whose state files are read and written.
public struct Program: Sendable {
  /// The name by which people know it.
  public let name: String

  /// Says in a state file, in SQLite's header, whose it is; another one for each program.
  public let fileIdentifier: Int32

  /// Makes a program.
  ///
  /// - Parameters:
  ///   - name: The name by which people know it.
  ///   - fileIdentifier: Says whose files are its own, above 0; unless given, it is made of the name.
  public init(_ name: String, fileIdentifier: Int32? = nil) {
    self.name = name
    // FNV-1a by Fowler, Noll and Vo, as it is the same in every process.
    self.fileIdentifier =
      fileIdentifier
      ?? Int32(name.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 } & 0x7FFF_FFFF)
  }
}
