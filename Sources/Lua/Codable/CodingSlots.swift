/// A place on the Lua stack that a container or coder holds while the value around it is coded.
struct CodingSlot {
  let index: Int32

  /// Distinguishes it from earlier and later holders of the same index.
  fileprivate let serial: UInt32

  /// A place without a holder: coding continues with it after a failure.
  static let none = CodingSlot(index: 0, serial: 0)
}

/// The places on the stack that are held, and their holders.
///
/// If a container is used after the `encode(to:)` or `init(from:)` that asked for it has returned, its place has
/// another value. Lua's functions without checks, such as `lua_rawset`, must never see that value.
struct CodingSlots {
  private let bottom: Int32

  /// The highest index that is held.
  private var top: Int32

  /// The holder of each index from the bottom to the top, 0 for none; entries above the top are stale.
  private var serials: [UInt32] = []
  private var lastSerial: UInt32 = 0

  init(above bottom: Int32) {
    self.bottom = bottom
    top = bottom
  }

  /// Holds an index that is above all held ones.
  mutating func hold(_ index: Int32) -> CodingSlot {
    lastSerial &+= 1
    while top < index {
      let position = Int(top - bottom)
      top += 1
      let serial = top == index ? lastSerial : 0
      if position < serials.count { serials[position] = serial } else { serials.append(serial) }
    }
    return CodingSlot(index: index, serial: lastSerial)
  }

  @inline(__always)
  func contains(_ slot: CodingSlot) -> Bool {
    slot.index > bottom && slot.index <= top
      && serials[Int(slot.index - bottom) - 1] == slot.serial
  }

  /// Releases all places above an index.
  mutating func release(above index: Int32) { top = max(bottom, min(top, index)) }
}
