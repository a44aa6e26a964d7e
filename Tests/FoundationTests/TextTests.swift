import PrimereplFoundation
import Testing

@Suite("Texts")
struct TextTests {
  @Test(
    "lose the white space at their ends",
    arguments: [("", ""), (" \t\n", ""), ("a", "a"), ("  a b\r\n", "a b"), ("\u{2003}é ", "é")])
  func trimming(text: String, trimmed: String) {
    #expect(text.trimmingWhitespace == trimmed)
  }

  @Test(
    "are the same in upper and lower case",
    arguments: [
      ("Straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("caf\u{E9}", "CAFE\u{301}"), ("ﬀ", "FF"),
      ("İ", "i\u{307}"), ("ſ", "S"),
    ])
  func caseFolding(text: String, other: String) {
    #expect(text.caseFolded == other.caseFolded)
  }

  @Test("with a dotless ı aren't the same as with an I")
  func dotlessI() {
    #expect("ı".caseFolded != "I".caseFolded)
  }

  @Test(
    "are encoded for an address, and decoded again",
    arguments: [
      ("a-._~Z9", "a-._~Z9"), ("a b+c;d", "a%20b%2Bc%3Bd"), ("é/", "%C3%A9%2F"), ("%", "%25"),
      ("\0", "%00"),
    ])
  func percentEncoding(text: String, encoded: String) {
    #expect(text.percentEncoded == encoded)
    #expect(encoded.percentDecoded == text)
    #expect(encoded.lowercased().percentDecoded?.lowercased() == text.lowercased())
  }

  @Test(
    "that aren't percent-encoded, or no UTF-8, aren't decoded",
    arguments: ["%", "%4", "%zz", "%+1", "a%-1", "%C3", "%FF"])
  func wrongEncoding(text: String) {
    #expect(text.percentDecoded == nil)
  }

  @Test("of numbers are those of C")
  func numbers() {
    #expect(0.1.formatted("%.14g") == "0.1")
    #expect(2.0.formatted("%.2f s") == "2.00 s")
    #expect(Double.infinity.formatted("%g") == "inf")
    #expect((-1e300).formatted("%.0f").count == 302)
  }
}
