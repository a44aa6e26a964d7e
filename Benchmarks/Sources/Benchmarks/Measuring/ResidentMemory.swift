internal import Foundation

/// The memory of this process.
enum ResidentMemory {
  /// How many bytes of it are in main memory; on other systems than Linux, the most that ever were.
  static func bytes() throws -> Int {
    #if os(Linux)
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      // The second field is the number of resident pages (proc(5)).
      guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
        throw BenchmarkError.unreadableMemory(text)
      }
      return pages * sysconf(Int32(_SC_PAGESIZE))
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #endif
  }
}
