import Testing

@testable import Domain
@testable import StateStore
@testable import Console
import Platform

@Suite("UTF-8 decoder")
struct UTF8DecoderTests {
  private func decode(_ bytes: [UInt8]) -> [[Unicode.Scalar]] {
    var decoder = UTF8Decoder()
    return bytes.map { decoder.decode($0) }
  }

  @Test("returns a character with its last byte")
  func givesAtOnce() {
    #expect(decode(Array("aé".utf8)) == [["a"], [], ["é"]])
    #expect(decode(Array("日🎉".utf8)) == [[], [], ["日"], [], [], [], ["🎉"]])
  }

  @Test(
    "keeps bytes that aren't UTF-8, and continues",
    arguments: [
      [0x80], [0xFF], [0xC0], [0xC3], [0xE6, 0x97], [0xF5], [0xF0, 0x9F, 0x8E],
    ] as [[UInt8]])
  func repairs(broken: [UInt8]) {
    let scalars = decode(broken + Array("a".utf8)).flatMap(\.self)
    #expect(scalars.last == "a")
    #expect(String(String.UnicodeScalarView(scalars.dropLast())).systemBytes == broken)
  }

  @Test("returns an incomplete character at the end")
  func finishes() {
    var decoder = UTF8Decoder()
    #expect(decoder.decode(0xC3) == [])
    #expect(String(String.UnicodeScalarView(decoder.finish())).systemBytes == [0xC3])
    #expect(decoder.finish() == [])
  }
}
