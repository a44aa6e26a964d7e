import Foundation
import StateStore

/// The address of a session on a PostgreSQL server: a URI of libpq, with a parameter `session` of our own.
///
///     postgresql://anna@db.example.org/team?session=shop
///     postgresql:///team?host=/run/postgresql&session=shop
struct PostgresAddress: Sendable {
  /// The address for libpq, with its password.
  let uri: String

  /// The address to be shown, without its password.
  let shown: String

  /// The name of the session.
  let session: String

  private let passwords: [String]

  /// Whether an address begins as one of PostgreSQL does.
  static func recognizes(_ address: String) -> Bool {
    address.hasPrefix("postgresql:") || address.hasPrefix("postgres:")
  }

  /// Reads an address.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - defaultSession: The name of the session, unless the address has one.
  /// - Throws: `JournalError` for an empty name of a session.
  init(_ address: String, session defaultSession: String) throws(JournalError) {
    let parts = AddressParts(address)
    uri = parts.address(of: parts.parameters.filter { $0.name != "session" })
    passwords = parts.passwords
    let name = parts.parameters.last { $0.name == "session" }.map {
      $0.value.removingPercentEncoding ?? ""
    }
    session = name ?? defaultSession
    shown = Self.withoutPassword(address)
    guard address.prefixMatch(of: /postgres(ql)?:\/\//) != nil else {
      throw .refused(shown, reason: "an address begins with postgresql://")
    }
    guard !session.isEmpty, !session.utf8.contains(0) else {
      throw .refused(shown, reason: "session= needs a name")
    }
  }

  /// The address without its password.
  static func withoutPassword(_ address: String) -> String {
    var parts = AddressParts(address)
    parts.password = nil
    return parts.address(of: parts.parameters.filter { $0.name != "password" })
  }

  /// A message of libpq, in which no password is left.
  func withoutPasswords(_ message: String) -> String {
    passwords.reduce(message) { $0.replacing($1, with: "…") }
  }
}

/// The parts of a URI as they are written, with all escapes.
private struct AddressParts {
  /// Everything before the user.
  private let scheme: String
  private let user: String?
  var password: String?
  /// The hosts and the database.
  private let place: String
  let parameters: [(name: String, value: String)]

  init(_ address: String) {
    let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
    scheme = String(address[..<start])
    // As in libpq, an @ before the first / ends the user; one in a password has to be escaped.
    let end = address[start...].firstIndex { $0 == "@" || $0 == "/" }
    var rest = address[start...]
    if let end, address[end] == "@" {
      let names = address[start..<end].split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = String(names[0])
      password = names.count > 1 ? String(names[1]) : nil
      rest = address[address.index(after: end)...]
    } else {
      (user, password) = (nil, nil)
    }
    let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    place = String(halves[0])
    let query = halves.count > 1 ? halves[1] : ""
    parameters = query.split(separator: "&").map { parameter in
      let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
    }
  }

  /// The passwords in the address, as they are written and as they are meant.
  var passwords: [String] {
    ([password] + parameters.filter { $0.name == "password" }.map(\.value)).compactMap(\.self)
      .flatMap { [$0, $0.removingPercentEncoding ?? $0] }.filter { !$0.isEmpty }
  }

  /// The address with other parameters.
  func address(of parameters: [(name: String, value: String)]) -> String {
    let login = user.map { user in user + (password.map { ":" + $0 } ?? "") + "@" } ?? ""
    let query = parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return scheme + login + place + (query.isEmpty ? "" : "?" + query)
  }
}
