import ArgumentParser

/// A number of bytes as people write it: 65536, 512K, 64M, 2G.
struct MemorySize: ExpressibleByArgument {
  let bytes: Int

  /// - Parameter argument: a whole number above 0, and K, M or G for powers of 1024.
  init?(argument: String) {
    let units = ["K": 10, "M": 20, "G": 30]
    let unit = argument.last.flatMap { units[$0.uppercased()] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard let count = Int(digits), count > 0 else { return nil }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << (unit ?? 0))
    guard !overflow else { return nil }
    self.bytes = bytes
  }
}
