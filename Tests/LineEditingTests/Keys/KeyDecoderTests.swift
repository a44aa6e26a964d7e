@testable import PrimereplLineEditing
import PrimereplPlatform
import Testing
import TestSupport

@Suite("Key decoder")
struct KeyDecoderTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.decode(Array(text.utf8)) + decoder.flush()
  }

  /// The keys of bytes that arrive one by one.
  private func keysOneByOne(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return text.utf8.flatMap { decoder.decode([$0]) } + decoder.flush()
  }

  @Test(
    "decodes the sequences of terminals, even in pieces",
    arguments: [
      ("\u{1B}[A", Key.up), ("\u{1B}OA", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right),
      ("\u{1B}[D", .left), ("\u{1B}[H", .home), ("\u{1B}OH", .home), ("\u{1B}[1~", .home),
      ("\u{1B}[7~", .home), ("\u{1B}[F", .end), ("\u{1B}OF", .end), ("\u{1B}[4~", .end),
      ("\u{1B}[8~", .end), ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
      ("\u{1B}[Z", .backTab), ("\u{1B}[1;5A", .controlUp), ("\u{1B}[1;5B", .controlDown),
      ("\u{1B}[1;5C", .controlRight), ("\u{1B}[1;5D", .controlLeft), ("\u{1B}[5C", .right),
      ("\u{1B}O5C", .controlRight), ("\u{1B}Od", .controlLeft), ("\u{1B}[1;3A", .controlUp),
      ("\u{1B}[1;3C", .controlRight), ("\u{1B}[1;9D", .controlLeft), ("\u{1B}[1;2A", .up),
      ("\u{1B}[3;5~", .controlDelete), ("\u{1B}[3^", .controlDelete), ("\u{1B}x", .alt("x")),
      ("\u{1B}_", .alt("_")), ("\u{1B}<", .alt("<")), ("\u{1B}[", .alt("[")),
      ("\u{1B}O", .alt("O")), ("\u{1B}\u{7F}", .altBackspace), ("\u{1B}\u{8}", .altBackspace),
      ("\u{1B}\u{5}", .altControl("e")), ("\u{1B}\r", .altEnter), ("\u{1B}\n", .altEnter),
      ("\u{1B}]", .alt("]")), ("\u{1B}", .escape), ("\u{7F}", .backspace), ("\u{8}", .control("h")),
      ("\t", .tab), ("\r", .enter), ("\n", .control("j")), ("\0", .control("@")),
      ("\u{1}", .control("a")), ("\u{1F}", .control("_")), ("\u{1C}", .control("\\")),
    ])
  func sequences(_ bytes: String, _ key: Key) {
    #expect(keys(bytes) == [key])
    #expect(keysOneByOne(bytes) == [key])
  }

  @Test(
    "takes keys and reports that it doesn't know whole",
    arguments: [
      "\u{1B}[99~", "\u{1B}[15~", "\u{1B}OP", "\u{1B}[[A", "\u{1B}[1;5Y", "\u{1B}[?25;1$y",
      "\u{1B}[<0;10;20M", "\u{1B}[97;5u", "\u{1B}[99999999999999999999~", "\u{1B}[;;;;~",
    ])
  func unknown(_ bytes: String) {
    #expect(keys(bytes + "x") == [.unknown, .character("x")])
    #expect(keysOneByOne(bytes + "x") == [.unknown, .character("x")])
  }

  @Test("joins characters that arrive together into clusters, and accepts UTF-8 in pieces")
  func characters() {
    #expect(keys("e\u{301}👨‍👩‍👧日") == ["e\u{301}", "👨‍👩‍👧", "日"].map(Key.character))
    #expect(keysOneByOne("é日") == [.character("é"), .character("日")])
    #expect(keysOneByOne("e\u{301}") == [.character("e"), .character("\u{301}")])
  }

  @Test("keeps bytes that aren't UTF-8 as they are")
  func invalidBytes() {
    var decoder = KeyDecoder()
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x28, 0xE6, 0x97, 0x62, 0x80]
    let text = (decoder.decode(bytes) + decoder.flush()).reduce(into: "") { text, key in
      if case .character(let character) = key { text.append(character) }
    }
    #expect(text.systemBytes == bytes)
    #expect(decoder.decode([0xE6, 0x97]) == [])
    #expect(decoder.isInSequence)
    #expect(decoder.flush().count == 2)
    #expect(!decoder.isInSequence)
  }

  @Test("recognizes the Escape key only when nothing follows")
  func escape() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isInSequence)
    #expect(decoder.decode(Array("[A".utf8)) == [.up])
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.flush() == [.escape])
    #expect(decoder.flush() == [])
    #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
    #expect(keys("\u{1B}[1;") == [.unknown])
    #expect(keys("\u{1B}é") == [.escape, .character("é")])
  }

  @Test("makes one key of a paste, which changes only its line ends to newlines")
  func paste() {
    let text = "a\tb\r\nc\rd\n\u{1B}[A\0\u{3}\u{1B}[20é"
    let pasted = "a\tb\nc\nd\n\u{1B}[A\0\u{3}\u{1B}[20é"
    let bytes = "x\u{1B}[200~\(text)\u{1B}[201~y"
    #expect(keys(bytes) == [.character("x"), .paste(pasted), .character("y")])
    #expect(keysOneByOne(bytes) == [.character("x"), .paste(pasted), .character("y")])
  }

  @Test("neither ends a paste by a pause nor keeps it after an interrupt")
  func unfinishedPaste() {
    var decoder = KeyDecoder()
    #expect(decoder.decode(Array("\u{1B}[200~one\u{1B}[20".utf8)) == [])
    #expect(decoder.flush() == [])
    #expect(decoder.decode(Array("1~".utf8)) == [.paste("one")])
    #expect(decoder.decode(Array("\u{1B}[200~two".utf8)) == [])
    decoder.reset()
    #expect(decoder.decode([0x78]) == [.character("x")])
  }

  @Test("types tabs of text that arrives in one piece, and completes at other tabs")
  func tabs() {
    #expect(keys("if x\ty").contains(.character("\t")))
    #expect(keys("\treturn\r") == [.character("\t")] + "return".map(Key.character) + [.enter])
    #expect(keys("cou\t") == "cou".map(Key.character) + [.tab])
    #expect(keysOneByOne("if x\ty").contains(.tab))
    #expect(keys("\tx") == [.tab, .character("x")])
  }

  @Test("gives up on sequences without an end")
  func garbage() {
    let endless = keys("\u{1B}[" + String(repeating: "1;", count: 100) + "x")
    #expect(endless.first == .unknown)
    #expect(endless.last == .character("x"))
  }

  @Test("takes any bytes", arguments: [1, 2, 3])
  func fuzz(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var decoder = KeyDecoder()
    for _ in 0..<2000 {
      let length = Int.random(in: 1...12, using: &random)
      let bytes = (0..<length).map { _ -> UInt8 in
        // Escapes and brackets are likely.
        let byte = UInt8.random(in: 0...255, using: &random)
        return byte < 40 ? 0x1B : byte < 70 ? UInt8(ascii: "[") : byte
      }
      _ = decoder.decode(bytes)
      _ = decoder.flush()
      #expect(!decoder.isInSequence)
    }
  }
}
