import Testing

@testable import PrimereplLoading

@Suite("A source's name in messages and actions")
struct ShownAddressTests {
  @Test(
    "has no user and no password of an address",
    arguments: [
      ("http://u:PW@h", "http://h"), ("HTTPS://PW@h:81/x?y#z", "HTTPS://h:81/x?y#z"),
      ("https://ann:PW@a.org:81/x@y", "https://a.org:81/x@y"), ("http://u:P@PW@h/", "http://h/"),
      ("http://u:PW@a@b@h?x", "http://h?x"), ("http://u:%50W:PW@h#a@b", "http://h#a@b"),
      ("ftp://u:PW@h", "ftp://h"), (" http://u:PW@h:bad/", " http://h:bad/"),
      ("http://u:PW@\u{308}h", "http://\u{308}h"), ("http://u:PW@", "http://"),
    ])
  func password(source: String, name: String) {
    #expect(DocumentSource.shown(source) == name)
    if let read = try? DocumentSource(source) { #expect(!read.name.contains("PW")) }
  }

  @Test(
    "is the user's text if that has none",
    arguments: [
      "todos.json", "./a/b@2x.json", "/home/ann@work/x.json", "~/x@y", "a@b", "C:x", "http://h",
      "http://h:80/x?y=z", "https://mastodon.social/@ann.json", "http://localhost/a@b",
      "http://[::1]:80/", "http://a.org/x:y@z", "ftp://h:21/x", "100%40.json",
    ])
  func harmless(source: String) {
    #expect(DocumentSource.shown(source) == source)
  }

  @Test(
    "has no password, however long that is", arguments: [(5, "http://h"), (500_000, "http://…")])
  func long(length: Int, name: String) {
    for unit in ["a", "@", ":", "%4", " ", "e\u{301}"] {
      let source = "http://u:PW" + String(repeating: unit, count: length / unit.utf8.count) + "@h"
      #expect(DocumentSource.shown(source) == name)
    }
  }

  @Test(
    "is shortened in messages",
    arguments: ["", "~", "~/", "http://h/", "http://h/?", "ftp://", "http:/", "\0"])
  func shortened(start: String) async {
    let source = start + String(repeating: "x", count: 1_000_000)
    let reading = await #expect(throws: SourceError.self) {
      try await DocumentAccess().read(source)
    }
    let writing = #expect(throws: ExportError.self) {
      try DocumentAccess().write("", to: source)
    }
    for message in [reading?.message, writing?.message] {
      #expect((message?.utf8.count ?? 0) < 400)
    }
  }
}
