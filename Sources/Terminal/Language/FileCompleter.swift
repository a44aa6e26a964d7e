import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPlatform
import Scripting

enum FileCompleter {
  /// A folder with more entries is looked at in part.
  private static let entryLimit = 20_000

  /// The candidates for the last name of a path; `typed` is the path with the escapes of a string in quotes.
  static func completions(
    for path: String, typedAs typed: ArraySlice<UInt8>, quote: UInt8?
  ) -> Completions {
    let slash = UInt8(ascii: "/")
    let start = typed.lastIndex(of: slash).map { $0 + 1 } ?? typed.startIndex
    let name =
      path.utf8.lastIndex(of: slash).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    let folder = String(path[..<name.startIndex])
    let entries = entries(of: folder, beginningWith: String(name).systemBytes)
    let candidates = entries.sorted { $0.text < $1.text }.compactMap { name, isFolder in
      let shown = quote.map { LuaStringLiteral.escaping(name.systemBytes, quote: $0) } ?? name
      // Control characters can't be typed as they are.
      let canBeTyped = name.unicodeScalars.allSatisfy { $0.isPrintable || SystemByte($0) != nil }
      guard quote != nil || canBeTyped else { return nil as Completions.Candidate? }
      return Completions.Candidate(shown + (isFolder ? "/" : ""))
    }
    return Completions(replacing: start..<typed.endIndex, with: candidates)
  }

  private static func entries(
    of folder: String, beginningWith prefix: [UInt8]
  ) -> [(text: String, isFolder: Bool)] {
    let path: String
    do {
      path = try FilePath.expanding(folder.isEmpty ? "." : folder)
    } catch {
      // No folder can have the name.
      return []
    }
    guard let directory = path.withSystemBytes({ opendir($0) }) else { return [] }
    defer { closedir(directory) }
    let showsHidden = prefix.first == UInt8(ascii: ".")
    var entries: [(String, Bool)] = []
    var count = 0
    while count < entryLimit, let entry = readdir(directory) {
      count += 1
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name.starts(with: prefix), showsHidden || name.first != UInt8(ascii: "."),
        name != Array(".".utf8), name != Array("..".utf8)
      else { continue }
      let text = String(systemBytes: name)
      entries.append((text, FileSystem.kind(of: "\(path)/\(text)") == .folder))
    }
    return entries
  }
}
