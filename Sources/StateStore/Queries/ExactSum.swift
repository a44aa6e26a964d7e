/// A number as queries add it up: exactly.
enum ExactNumber: Sendable {
  case integer(Int)
  case number(Double)
}

/// A sum of numbers without rounding errors, whatever their order, from which numbers can be taken away again.
///
/// Only the result is rounded, once. So a sum that follows its list is always the one that adding everything up would give.
/// Numbers of up to six decimal places, such as those of money, are added as the decimals that people see: 0.1 and 0.2 are 0.3.
struct ExactSum: Sendable {
  /// The sum of the integers.
  private var integers: Int128 = 0

  /// The sum of the finite floating-point numbers, as a fixed-point number; empty at first.
  ///
  /// Its digits of 32 bits begin at 2⁻¹⁰⁷⁴, the lowest bit that a floating-point number can have. A digit may be out of
  /// range, or negative, until digits are carried.
  private var digits: [Int] = []
  private var additionCount = 0

  /// The sum of the decimals among them, in millionths, and the number of the others.
  private var millionths: Int128 = 0
  private var otherCount = 0

  private var floatingPointCount = 0
  private var infinityCount = 0
  private var negativeInfinityCount = 0
  private var nanCount = 0

  /// The number of digits for all numbers, and for more carries than there are additions.
  private static let digitCount = (1_074 + 1_024) / 32 + 4

  /// 10 to the power of the maximum number of decimal places.
  private static let decimalScale = 1e6

  mutating func add(_ number: ExactNumber) { add(number, sign: 1) }

  mutating func subtract(_ number: ExactNumber) { add(number, sign: -1) }

  private mutating func add(_ number: ExactNumber, sign: Int) {
    switch number {
    case .integer(let integer): integers &+= sign > 0 ? Int128(integer) : -Int128(integer)
    case .number(let number):
      floatingPointCount += sign
      switch number.floatingPointClass {
      case .positiveInfinity: infinityCount += sign
      case .negativeInfinity: negativeInfinityCount += sign
      case .quietNaN, .signalingNaN: nanCount += sign
      case .positiveZero, .negativeZero: break
      default:
        add(decimal: number, sign: sign)
        add(finite: number, sign: number.sign == .minus ? -sign : sign)
      }
    }
  }

  private mutating func add(decimal number: Double, sign: Int) {
    let scaled = (number * Self.decimalScale).rounded()
    if abs(scaled) < 0x1p53, scaled / Self.decimalScale == number {
      millionths &+= Int128(Int(scaled) * sign)
    } else {
      otherCount += sign
    }
  }

  private mutating func add(finite number: Double, sign: Int) {
    let isNormal = number.isNormal
    let significand = number.significandBitPattern | (isNormal ? 1 << 52 : 0)
    add(significand, at: isNormal ? Int(number.exponentBitPattern) - 1 : 0, sign: sign)
  }

  /// Adds a number times 2 to the power of a bit's position.
  private mutating func add(_ number: UInt64, at bit: Int, sign: Int) {
    if digits.isEmpty { digits = Array(repeating: 0, count: Self.digitCount) }
    let (index, shift) = (bit / 32, UInt64(bit % 32))
    let (low, high) = ((number & 0xFFFF_FFFF) << shift, (number >> 32) << shift)
    digits[index] += sign * Int(low & 0xFFFF_FFFF)
    digits[index + 1] += sign * Int((low >> 32) + (high & 0xFFFF_FFFF))
    digits[index + 2] += sign * Int(high >> 32)
    additionCount += 1
    // A digit has 63 bits, of which an addition needs at most 33.
    if additionCount == 1 << 28 { carry() }
  }

  /// Brings all digits but the last into the range from 0 to 2³² − 1.
  private mutating func carry() {
    additionCount = 0
    for index in digits.indices.dropLast() {
      digits[index + 1] += digits[index] >> 32
      digits[index] &= 0xFFFF_FFFF
    }
  }

  /// The sum: a floating-point number if one of the numbers is one.
  ///
  /// - Throws: ``QueryError`` if the sum of integers is none of 64 bits.
  var value: StateValue {
    get throws(QueryError) {
      guard floatingPointCount == 0 else { return .number(rounded) }
      guard let sum = Int(exactly: integers) else { throw .sumTooLarge }
      return .integer(sum)
    }
  }

  private var rounded: Double {
    if nanCount > 0 || (infinityCount > 0 && negativeInfinityCount > 0) { return .nan }
    if infinityCount > 0 { return .infinity }
    if negativeInfinityCount > 0 { return -.infinity }
    if let decimal = decimalSum { return decimal }
    var total = self
    // The position of 1 is bit 1,074.
    let (magnitude, sign) = (integers.magnitude, integers < 0 ? -1 : 1)
    total.add(UInt64(truncatingIfNeeded: magnitude), at: 1_074, sign: sign)
    total.add(UInt64(truncatingIfNeeded: magnitude >> 64), at: 1_074 + 64, sign: sign)
    return total.roundedDigits
  }

  /// The sum if all floating-point numbers are decimals, and it has so few digits that dividing rounds it once.
  private var decimalSum: Double? {
    guard otherCount == 0, let integers = Int(exactly: integers) else { return nil }
    let total = millionths + Int128(integers) * Int128(Self.decimalScale)
    guard total.magnitude < 1 << 53 else { return nil }
    return Double(total) / Self.decimalScale
  }

  /// The sum that the digits are, rounded to the nearest number; of two equally near ones, to the even one.
  private var roundedDigits: Double {
    var positive = self
    positive.carry()
    let isNegative = positive.digits.last.map { $0 < 0 } ?? false
    if isNegative {
      for index in positive.digits.indices { positive.digits[index] = -positive.digits[index] }
      positive.carry()
    }
    guard let top = positive.digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The 64 bits from the first one on, of which the last stands for all after it: it is below what is rounded.
    let digits = positive.digits
    func digit(_ index: Int) -> UInt64 { index < 0 ? 0 : UInt64(digits[index]) }
    let shift = UInt64(digit(top).leadingZeroBitCount - 32)
    let upper = digit(top) << 32 | digit(top - 1)
    var bits = upper << shift | (digit(top - 2) << shift) >> 32
    let hasMore =
      (digit(top - 2) << shift) & 0xFFFF_FFFF != 0
      || digits[..<max(0, top - 2)].contains { $0 != 0 }
    if hasMore { bits |= 1 }
    let exponent = (top - 1) * 32 - Int(shift) - 1_074
    let magnitude = Double(sign: .plus, exponent: exponent, significand: Double(bits))
    return isNegative ? -magnitude : magnitude
  }
}
