/// Why a journal can't be read or written.
public struct JournalError: CodedError, Equatable {
  package enum Kind: String {
    case lost = "journal_lost"
    case otherVersion = "other_version"
    case busy = "state_busy"
    case foreign = "state_foreign"
    case newer = "state_newer"
    case damaged = "state_damaged"
    case unreadable = "state_unreadable"
    case unwritable = "state_unwritable"
    case unreachable = "state_unreachable"
  }

  package let kind: Kind

  /// The stable code for the kind of error.
  public var code: String { kind.rawValue }

  /// What was wrong and what to do.
  public let message: String

  private init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The session isn't there any more: see ``Journal/restore(_:at:)``.
  public static func lost(_ place: String) -> Self {
    Self(.lost, "\(place): the session was removed.")
  }

  static func otherVersion(reason: String) -> Self {
    Self(
      .otherVersion, "The saved session doesn't fit the app: \(reason). Nothing was changed.")
  }

  /// Another session has taken the place of this one.
  public static func replaced(_ place: String) -> Self {
    Self(
      .unwritable,
      "\(place): another session has taken its place, which stays as it is: "
        + "move that away, or save this one elsewhere with store.export.")
  }

  /// Another process has locked the journal for too long.
  public static func busy(_ path: String) -> Self {
    Self(.busy, "\(path): another process is writing to it: try again.")
  }

  package static func foreign(_ path: String, program: String, reason: String) -> Self {
    Self(
      .foreign,
      "\(path): not a state file of \(program): \(reason). Nothing was changed; name another file.")
  }

  package static func newer(_ path: String, format: Int) -> Self {
    Self(
      .newer,
      "\(path): written by a newer version (format \(format)): use that version, or another session."
    )
  }

  /// The journal is damaged; the reason says where, and what was kept.
  public static func damaged(_ path: String, reason: String) -> Self {
    Self(.damaged, "\(path): damaged: \(reason).")
  }

  /// The journal can't be read.
  public static func unreadable(_ path: String, reason: String) -> Self {
    Self(.unreadable, "\(path): can't be read: \(reason)")
  }

  /// The journal can't be written.
  public static func unwritable(_ path: String, reason: String) -> Self {
    Self(
      .unwritable,
      "\(path): can't be written: \(reason): make room, or name a file that can be written.")
  }

  /// The role that the session's server knows may only read.
  public static func readOnly(_ address: String) -> Self {
    Self(
      .unwritable,
      "\(address): read-only: this role may not write, so your changes stay in this process")
  }

  /// The session's server refuses what was asked of it.
  public static func refused(_ address: String, reason: String) -> Self {
    Self(.unwritable, "\(address): \(reason)")
  }

  /// The session's server can't be reached, or didn't answer.
  public static func unreachable(_ address: String, reason: String) -> Self {
    Self(.unreachable, "\(address): \(reason)")
  }
}
