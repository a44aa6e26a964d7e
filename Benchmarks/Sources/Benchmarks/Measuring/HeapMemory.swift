internal import PlainC

/// The memory that this process has allocated and not freed.
enum HeapMemory {
  /// How many bytes that is; where the system can't tell, what is in main memory.
  static func bytes() throws -> Int {
    let bytes = plain_heap_bytes()
    return bytes > 0 ? Int(bytes) : try ResidentMemory.bytes()
  }
}
