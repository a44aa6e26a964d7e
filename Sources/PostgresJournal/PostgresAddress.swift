import PrimereplFoundation
import StateStore

/// The address of a session on a PostgreSQL server: a URI of libpq, with a parameter `session` of our own.
///
///     postgresql://anna@db.example.org/team?session=shop
///     postgresql:///team?host=/run/postgresql&session=shop
struct PostgresAddress: Sendable {
  /// The address for libpq, with its passwords.
  let uri: String

  /// The address to be shown: only the user, the server, the database and the session, as libpq has read them.
  let shown: String

  let session: String

  private let passwords: [String]

  /// The text for an address that can't be read: any part of it may be one of a password.
  static let unreadable = "postgresql://..."

  /// Reads an address, whose session is the default one unless it names another.
  init(_ address: String, session defaultSession: String) throws(JournalError) {
    let parts = try AddressParts(address)
    uri = parts.uri
    let options: [PostgresLibrary.Option]?
    options = try PostgresLibrary.loaded(for: Self.unreadable).options(in: uri)
    guard let options else { throw Self.refusal("it isn't an address that PostgreSQL can read") }
    passwords = options.filter(\.isPassword).map(\.value)
    func value(_ name: String) -> String? { options.first { $0.name == name }?.value }
    guard value("port")?.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2C }) != false
    else {
      throw Self.refusal("its port isn't a number; write %2F for a / in a password")
    }
    session = parts.session.map { $0.percentDecoded ?? "" } ?? defaultSession
    shown = Self.shown(
      user: value("user"), hosts: value("host"), ports: value("port"), database: value("dbname"),
      session: parts.session)
    guard !session.isEmpty, !session.utf8.contains(0) else {
      throw .refused(shown, reason: "session= needs a name")
    }
  }

  /// A message of libpq without the passwords; those of fewer than four bytes are parts of nearly every text.
  func hidingPasswords(in message: String) -> String {
    passwords.filter { $0.utf8.count >= 4 }.reduce(message) { $0.replacing($1, with: "••••••") }
  }

  fileprivate static func refusal(_ reason: String) -> JournalError {
    .refused(unreadable, reason: reason)
  }

  private static func shown(
    user: String?, hosts: String?, ports: String?, database: String?, session: String?
  ) -> String {
    let hosts = hosts?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    let ports = ports?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    // The folder of a Unix socket can't stand before the database.
    let folders = hosts.contains { $0.contains("/") } ? hosts.joined(separator: ",") : nil
    let servers = (0..<max(hosts.count, ports.count)).map { index in
      let host = folders != nil || index >= hosts.count ? "" : hosts[index]
      let port = index < ports.count && !ports[index].isEmpty ? ":\(ports[index])" : ""
      return (host.contains(":") ? "[\(host)]" : "\(host)") + port
    }
    let parameters = [folders.map { "host=\($0)" }, session.map { "session=\($0)" }]
      .compactMap(\.self)
    return "postgresql://" + (user.map { "\($0.percentEncoded)@" } ?? "")
      + servers.joined(separator: ",") + (database.map { "/\($0.percentEncoded)" } ?? "")
      + (database == nil && !parameters.isEmpty ? "/" : "")
      + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
  }
}

/// The address for libpq, and our own parameter, which libpq doesn't know.
private struct AddressParts {
  let uri: String
  /// The session as it is written; nil if the address names none.
  private(set) var session: String?

  init(_ text: String) throws(JournalError) {
    let address = text.trimmingWhitespace
    guard let slashes = address.firstRange(of: "://"),
      ["postgresql", "postgres"].contains(address[..<slashes.lowerBound].lowercased())
    else { throw PostgresAddress.refusal("an address begins with postgresql://") }
    // As in libpq, an @ before the first / ends the user and the password.
    var place = address[slashes.upperBound...]
    if let end = place.firstIndex(where: { $0 == "@" || $0 == "/" }), place[end] == "@" {
      place = place[place.index(after: end)...]
    }
    let user = address[slashes.upperBound..<place.startIndex]
    let halves = place.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard !halves[0].contains("@") else {
      throw PostgresAddress.refusal(
        "its user or password has an @ or a / that isn't escaped: write %40 for @ and %2F for /")
    }
    var parameters: [Substring] = []
    for parameter in (halves.count > 1 ? halves[1] : "").split(separator: "&") {
      let sides = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if String(sides[0]).percentDecoded == "session" {
        session = sides.count > 1 ? String(sides[1]) : ""
      } else {
        parameters.append(parameter)
      }
    }
    uri =
      "postgresql://" + user + halves[0]
      + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
  }
}
