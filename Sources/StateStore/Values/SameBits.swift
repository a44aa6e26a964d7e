import PrimereplFoundation

/// Whether two values are the same bit by bit: then they are equal, but equal values can have other storage.
///
/// Unlike `==`, it doesn't consider different forms of a letter equal.
@inlinable func haveSameBits<Value>(_ value: Value, _ other: Value) -> Bool {
  withUnsafeBytes(of: value) { bytes in
    withUnsafeBytes(of: other) { areSame(bytes, $0) }
  }
}

/// Whether two values of one type have the same bytes; at once, as this happens for every action.
@usableFromInline func areSame(_ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer)
  -> Bool
{
  guard let start = bytes.baseAddress, let otherStart = others.baseAddress else { return true }
  return memcmp(start, otherStart, bytes.count) == 0
}
