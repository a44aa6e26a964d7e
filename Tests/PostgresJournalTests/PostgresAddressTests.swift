import Testing

@testable import PostgresJournal

@Suite("The address of a session on a server")
struct PostgresAddressTests {
  @Test(
    "names the session, which libpq doesn't see",
    arguments: [
      ("postgresql://host/db?session=shop", "postgresql://host/db", "shop"),
      ("postgres://anna@host:5433/db", "postgres://anna@host:5433/db", "default"),
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
    "is shown without its password",
    arguments: [
      ("postgresql://anna:secret@host/db?session=a", "postgresql://anna@host/db?session=a"),
      ("postgresql://anna:se?cr:et@host/db", "postgresql://anna@host/db"),
      ("postgresql://host/db?user=anna&password=secret", "postgresql://host/db?user=anna"),
      ("postgresql://:secret@/db", "postgresql://@/db"),
      ("postgresql://host/db?host=/a@b", "postgresql://host/db?host=/a@b"),
    ])
  func passwords(address: String, shown: String) throws {
    #expect(PostgresAddress.withoutPassword(address) == shown)
    #expect(try PostgresAddress(address, session: "x").shown == shown)
  }

  @Test("removes its password from messages of libpq, also without its escapes")
  func messages() throws {
    let place = try PostgresAddress("postgresql://a:s%40cret@host/db", session: "x")
    #expect(place.withoutPasswords("bad s%40cret and s@cret") == "bad … and …")
  }

  @Test(
    "is refused without a name for session=, or with one slash",
    arguments: ["postgresql://host/db?session=", "postgresql:/host/db", "postgres:host"])
  func refusals(address: String) {
    #expect(PostgresAddress.recognizes(address))
    #expect(throws: (any Error).self) { try PostgresAddress(address, session: "x") }
  }
}
