import PrimereplFoundation

package enum ProcessMemory {
  /// The bytes that the process has for itself, without what it shares with files; 0 if the system doesn't say.
  package static var used: Int {
    #if os(Linux)
      do throws(SystemCallError) {
        let descriptor = try FileSystem.open("/proc/self/statm", O_RDONLY)
        defer { close(descriptor) }
        // proc(5): the size, then the pages in memory and those of them that are shared.
        let text = String(decoding: try FileDescriptor.readAll(descriptor), as: UTF8.self)
        let numbers = text.split(separator: " ").prefix(3).compactMap { Int($0) }
        guard numbers.count == 3 else { return 0 }
        return (numbers[1] - numbers[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
      } catch {
        return 0
      }
    #else
      var statistics = malloc_statistics_t()
      malloc_zone_statistics(nil, &statistics)
      return statistics.size_in_use
    #endif
  }
}
