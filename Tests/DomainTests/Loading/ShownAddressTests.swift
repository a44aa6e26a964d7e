import Testing

@testable import Domain
@testable import StateStore

@Suite("A source, as it is shown")
struct ShownAddressTests {
  @Test(
    "has no password, however the address is mistyped",
    arguments: [
      "http://u:PW@h", " http://u:PW@h", "\thttp://u:PW@h", "\u{FEFF}http://u:PW@h",
      "http://u:PW@h:bad/",
      "http://u:P/PW@h", "http://u:P?PW@h", "http://u:P#PW@h", "http://u:P@PW@h", "http://u:P PW@h",
      "http://u:1/PW@h", "http://u:/PW@h", "http://u/PW@h", "http://u:P\\PW@h", "http://u:P\nPW@h",
      "//u:PW@h", "///u:PW@h", "\\\\u:PW@h", "http:/u:PW@h", "http:u:PW@h", "http//u:PW@h",
      "u:PW@h",
      "http:\\\\u:PW@h", "htp://u:PW@h", "ftp://u:PW@h", "ssh://u:PW@h", "HTTP://u:PW@h",
      "hTTps:/u:PW@h",
      "http://u:PW@", "http://u:PW", "http://u:PW/x", "http:u:PW", "//u:PW", "http://u:PW%40h",
      "http://u%3APW%40h", "http://u%3APW@h", "http://u:PW@h:99999", "http://u:PW@[::1",
      "http://PW@h/x",
      "http://u:PW＠h", "http：//u:PW@h", "http://u：PW＠h", "http://u:PW﹫h", "<http://u:PW@h>",
      "\"http://u:PW@h\"",
      "url=http://u:PW@h", "http://http://u:PW@h", "http:// u:PW@h", "http://u:PW@h/a b",
      "http://u:PW@h\u{0}",
      "http://u:PW@\u{308}h", "http://u:\u{308}PW@h", "http://u:PW@h|x", "http://u:123456PW",
      "1http://u:PW@h",
      "file://u:PW@h/x", "http://u:PW@a@b@h", "http://u:%50W:PW@h", "://u:PW@h", "@http://u:PW@h",
      "u:PW//x@h",
    ])
  func mistyped(source: String) {
    #expect(!RecordSource.name(of: source).contains("PW"))
    if let read = try? RecordSource(source) { #expect(!read.name.contains("PW")) }
    let error = #expect(throws: (any Error).self) { try RecordSource(source).refuse() }
    #expect(error.map { !"\($0)".contains("PW") } == true)
  }

  @Test(
    "is unchanged if it can't contain a password",
    arguments: [
      "todos.json", "./a/b@2x.json", "/home/ann@work/x.json", "~/x@y", "a@b", "C:x", "http://h",
      "http://h:80/x?y=z",
      "https://mastodon.social/@ann.json", "http://localhost/a@b", "http://[::1]:80/",
      "http://a.org/x:y@z",
      "ftp://h:21/x", "100%40.json",
    ])
  func harmless(source: String) {
    #expect(RecordSource.name(of: source) == source)
  }

  @Test("keeps enough to identify the address")
  func rest() {
    #expect(RecordSource.name(of: "https://ann:PW@a.org:81/x@y") == "https://a.org:81/x@y")
    #expect(RecordSource.name(of: " http://ann:PW@a.org") == " http://…@a.org")
    #expect(RecordSource.name(of: "ann:PW@a.org/x") == "…@a.org/x")
    #expect(RecordSource.name(of: "http://ann:PW") == "http://ann:…")
  }

  @Test("is found quickly, however long it is")
  func long() {
    for unit in ["a", "@", ":", "/", "//", "http://u:p@", "%4", " ", "e\u{301}"] {
      let source = "http://u:PW@" + String(repeating: unit, count: 200_000)
      let start = ContinuousClock.now
      #expect(!RecordSource.name(of: source).contains("PW"))
      // Linear takes some 50 ms, quadratic a minute.
      #expect(start.duration(to: .now) < .seconds(10))
    }
  }
}

extension RecordSource {
  /// Fails as reading it would where nothing is there.
  fileprivate func refuse() throws { throw SourceError.notFound(name) }
}
