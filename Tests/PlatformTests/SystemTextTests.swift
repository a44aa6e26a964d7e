import PrimereplPlatform
import Testing
import TestSupport

@Suite("Names of the system as text")
struct SystemTextTests {
  @Test(
    "keep all bytes, and are the same text if the bytes are UTF-8",
    arguments: [
      Array("".utf8), Array("a/é/日/🎉".utf8), [0xFF], Array("s".utf8) + [0xFF] + Array(".lua".utf8),
      [0xC3], [0xE6, 0x97, 0x61], [0xF0, 0x9F, 0x8E], [0xED, 0xA0, 0x80], [0xC0, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
      // Scalars that stand for bytes, as they are themselves.
      Array("\u{10FE80}\u{10FEFF}".utf8), Array("a\u{10FE80}".utf8) + [0x80],
      Array("\u{10FE7F}\u{10FF00}".utf8),
    ] as [[UInt8]])
  func roundTrip(bytes: [UInt8]) {
    let text = String(systemBytes: bytes)
    #expect(text.systemBytes == bytes)
    if let valid = String(validating: bytes, as: UTF8.self), !valid.hasSystemByte {
      #expect(text == valid)
    }
  }

  @Test("differ if their bytes differ")
  func different() {
    #expect(!String(systemBytes: [0x80]).isExactly(String(systemBytes: Array("\u{10FE80}".utf8))))
  }

  @Test("keep random bytes")
  func random() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let bytes: [UInt8] = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        [0x61, 0xC3, 0xA9, 0xF4, 0x8F, 0xBA, 0x80, 0xBF, 0xE2, 0xFF].randomElement(
          using: &generator) ?? 0
      }
      #expect(String(systemBytes: bytes).systemBytes == bytes)
    }
  }

  @Test("are shown with escapes, and passed to the system unchanged")
  func shown() {
    let name = String(systemBytes: Array("é".utf8) + [0xFF, 0x80])
    #expect(name.printable == "é\\xff\\x80")
    let length = name.withSystemBytes { start in
      (0...).first { start[$0] == 0 }
    }
    #expect(length == 4)
  }
}
