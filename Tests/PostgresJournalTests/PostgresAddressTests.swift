import StateStore
import Testing
import TestSupport

@testable import PostgresJournal

@Suite(
  "The address of a session on a server",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"))
struct PostgresAddressTests {
  @Test(
    "names the session, which libpq doesn't see",
    arguments: [
      ("postgresql://host/db?session=shop", "postgresql://host/db", "shop"),
      ("postgres://anna@host:5433/db", "postgresql://anna@host:5433/db", "default"),
      ("PostgreSQL://host/db?%73ession=shop", "postgresql://host/db", "shop"),
      (
        "postgresql:///db?host=/run/pg&session=my%20shop&sslmode=require",
        "postgresql:///db?host=/run/pg&sslmode=require", "my shop"
      ),
      ("postgresql://", "postgresql://", "default"),
      ("postgresql://a,b:1/db?session=x", "postgresql://a,b:1/db", "x"),
    ])
  func sessions(address: String, uri: String, session: String) throws {
    let place = try PostgresAddress(address, session: "default")
    #expect(place.uri == uri)
    #expect(place.session == session)
  }

  @Test(
    "is shown with its user, server, database and session, and nothing else",
    arguments: [
      ("postgresql://anna:secret@host/db?session=a", "postgresql://anna@host/db?session=a"),
      ("postgresql://anna:se?cr:et@host/db", "postgresql://anna@host/db"),
      ("postgresql://anna:se%2Fcr%40et@host/db", "postgresql://anna@host/db"),
      ("postgresql://host/db?user=anna&password=secret", "postgresql://anna@host/db"),
      ("postgresql://host/db?pass%77ord=secret", "postgresql://host/db"),
      ("postgresql://host/db?sslpassword=secret&sslmode=require", "postgresql://host/db"),
      ("postgresql://anna:a@host/db", "postgresql://anna@host/db"),
      ("POSTGRES://anna:secret@host:5433/my%20db", "postgresql://anna@host:5433/my%20db"),
      ("postgresql://:secret@a:1,b:2/db", "postgresql://a:1,b:2/db"),
      ("postgresql://anna:secret@[::1]:5/db", "postgresql://anna@[::1]:5/db"),
      ("postgresql://host/db?host=/a@b", "postgresql:///db?host=/a@b"),
      (" postgresql://anna:secret@", "postgresql://anna@"),
    ])
  func shown(address: String, shown: String) throws {
    #expect(PostgresServer.recognizes(address))
    #expect(PostgresServer.withoutPassword(address) == shown)
    #expect(try PostgresAddress(address, session: "x").shown == shown)
  }

  @Test(
    "is refused, and no part of it shown, if a password isn't escaped or it can't be read",
    arguments: [
      "postgresql://anna:se/kret@host", "postgresql://anna:se@kret@host",
      "postgresql://anna:se/kr@et@host/db", "postgresql://anna:se?kr/et@host",
      "postgresql://anna:se?user=kr/et@host", "postgresql://anna:se%zzkret@host",
      "postgresql://anna:sekret@[::1/db", "postgresql://host:sekret/db",
      "postgresql://host/db?sekret=1", "postgresql://host/db?sekret", "postgresql:anna:sekret@host",
      "postgres:/anna:sekret@host", "postgresql://anna:%00sekret@host/db",
    ])
  func unreadable(address: String) {
    #expect(PostgresServer.recognizes(address))
    #expect(PostgresServer.withoutPassword(address) == "postgresql://...")
    let error = #expect(throws: JournalError.self) { try PostgresAddress(address, session: "x") }
    for part in ["sek", "se/", "kr", "et@"] { #expect(error?.message.contains(part) == false) }
  }

  @Test("keeps its passwords out of messages, but not a letter")
  func messages() throws {
    let address = try PostgresAddress(
      "postgresql://a:Zx9s%40cret@host/db?sslpassword=Zx9ssl", session: "x")
    #expect(address.hidingPasswords(in: "bad Zx9s@cret and Zx9ssl") == "bad •••••• and ••••••")
    let short = try PostgresAddress("postgresql://a:e@host/db", session: "x")
    #expect(short.hidingPasswords(in: "connection refused") == "connection refused")
  }

  @Test("is refused without a name for session=")
  func noName() {
    #expect(throws: JournalError.self) {
      try PostgresAddress("postgresql://host/db?session=", session: "x")
    }
  }
}
