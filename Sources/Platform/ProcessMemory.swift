import PrimereplFoundation

package enum ProcessMemory {
  /// The bytes that the process has for itself, without what it shares with files; 0 if the system doesn't say.
  package static var used: Int {
    #if os(Linux)
      let pages = pages
      return pages.count > 2 ? (pages[1] - pages[2]) * pageSize : 0
    #else
      var statistics = malloc_statistics_t()
      malloc_zone_statistics(nil, &statistics)
      return statistics.size_in_use
    #endif
  }

  #if os(Linux)
    /// The bytes of data and stack, as the limit `RLIMIT_DATA` counts them; 0 if the system doesn't say.
    package static var data: Int {
      let pages = pages
      return pages.count > 5 ? pages[5] * pageSize : 0
    }

    private static var pageSize: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }

    /// The numbers of pages by proc(5): all, those in memory, those of them that are shared, of code, an unused number, and
    /// of data.
    private static var pages: [Int] {
      do throws(SystemCallError) {
        let text = String(decoding: try FileSystem.contents(of: "/proc/self/statm"), as: UTF8.self)
        return text.trimmingWhitespace.split(separator: " ").compactMap { Int($0) }
      } catch {
        return []
      }
    }
  #endif
}
