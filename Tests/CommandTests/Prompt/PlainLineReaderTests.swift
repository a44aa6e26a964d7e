import Foundation
import Testing

@testable import Console
@testable import PrimereplDomain
import PrimereplPlatform
@testable import StateStore

@Suite("Plain line reader")
struct PlainLineReaderTests {
  private let pipe = Pipe()

  private func reader() throws -> PlainLineReader {
    try PlainLineReader(
      descriptor: pipe.fileHandleForReading.fileDescriptor)
  }

  private func write(_ bytes: [UInt8]) throws {
    try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
  }

  @Test("returns each line, the last one even without a newline, and then the end")
  func readsLines() async throws {
    try write(Array("one\n\nthree é".utf8) + [0xFF])
    try pipe.fileHandleForWriting.close()
    let reader = try reader()
    #expect(try await reader.readLine(prompt: "") == .text("one"))
    #expect(try await reader.readLine(prompt: "") == .text(""))
    #expect(
      try await reader.readLine(prompt: "")
        == .text(String(systemBytes: Array("three é".utf8) + [0xFF])))
    #expect(try await reader.readLine(prompt: "") == .endOfInput)
    #expect(try await reader.readLine(prompt: "") == .endOfInput)
  }

  @Test("leaves the input after a line to other readers")
  func readsNoFurther() async throws {
    try write(Array("one\ntwo\n".utf8))
    #expect(try await reader().readLine(prompt: "") == .text("one"))
    #expect(pipe.fileHandleForReading.availableData == Data("two\n".utf8))
  }

  @Test("can be interrupted while it waits", .timeLimit(.minutes(5)))
  func interrupts() async throws {
    let reader = try reader()
    async let input = reader.readLine(prompt: "")
    // An interrupt before the wait is forgotten, so it is repeated until one arrives.
    let interrupting = Task {
      while !Task.isCancelled {
        reader.interrupt()
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    #expect(try await input == .interrupted)
    interrupting.cancel()
  }

  @Test("says why it can't read")
  func reportsFailure() async throws {
    let folder = try FileHandle(forReadingFrom: FileManager.default.temporaryDirectory)
    let reader = try PlainLineReader(descriptor: folder.fileDescriptor)
    let error = CommandError.scriptUnreadable("standard input", reason: "Is a directory")
    await #expect(throws: error) {
      try await reader.readLine(prompt: "")
    }
  }
}
