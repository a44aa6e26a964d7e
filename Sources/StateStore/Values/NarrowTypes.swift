// Types whose values are only some of the numbers, texts or ids.

/// The numbers between two bounds, which belong to them.
public struct NumberRange: Equatable, Sendable {
  /// Integers, numbers or decimals.
  package let base: ValueType
  package let minimum: Double?
  package let maximum: Double?

  /// Makes a range that isn't empty.
  package init(_ base: ValueType, from minimum: Double?, to maximum: Double?) {
    (self.base, self.minimum, self.maximum) = (base, minimum, maximum)
  }

  /// Whether a number is in the range; false for any other value.
  package func contains(_ value: StateValue) -> Bool {
    let number: Double
    switch value {
    case .integer(let integer): number = Double(integer)
    case .number(let value): number = value
    default: return false
    }
    return number >= minimum ?? -.infinity && number <= maximum ?? .infinity
  }

  /// Zero, or the number of the range that is nearest to it.
  var initial: StateValue {
    let nearest = max(minimum ?? -.infinity, min(maximum ?? .infinity, 0))
    guard base == .integer else { return .number(nearest) }
    return .integer(Int(exactly: nearest.rounded(.awayFromZero)) ?? 0)
  }

  /// The numbers in words that follow "expected".
  var phrase: String {
    func text(_ bound: Double) -> String { Int(exactly: bound).map { "\($0)" } ?? "\(bound)" }
    let bounds =
      switch (minimum, maximum) {
      case (let minimum?, let maximum?): " from \(text(minimum)) to \(text(maximum))"
      case (let minimum?, nil): " from \(text(minimum))"
      case (nil, let maximum?): " up to \(text(maximum))"
      case (nil, nil): ""
      }
    let noun = base == .integer ? "an integer" : "a number"
    return noun + bounds + (base.decimalPlaces?.phrase ?? "")
  }
}

/// Numbers with a fixed number of decimal places, such as amounts of money.
///
/// A value is the floating-point number that is nearest to the decimal one, so that equal amounts are equal numbers.
public struct DecimalPlaces: Equatable, Sendable {
  /// The number of places: from 0 to ``maximum``.
  package let count: Int

  package static let maximum = 9

  package init?(_ count: Int) {
    guard (0...Self.maximum).contains(count) else { return nil }
    self.count = count
  }

  /// The number of places of a type with a name such as "decimal(2)" or "decimal(2)?"; nil for another name.
  package init?(typeName: String) {
    let name = typeName.hasSuffix("?") ? typeName.dropLast() : typeName[...]
    guard name.hasPrefix(Self.typeNameStart), name.hasSuffix(")"),
      let count = Int(name.dropFirst(Self.typeNameStart.count).dropLast())
    else { return nil }
    self.init(count)
  }

  /// The name of the type in signatures, such as "decimal(2)".
  package var typeName: String { "\(Self.typeNameStart)\(count))" }

  package static let typeNameStart = "decimal("

  /// The number of units in 1.
  private var scale: Double { (0..<count).reduce(1) { scale, _ in scale * 10 } }

  /// The value for a number; nil if it has more places, or more digits than are exact.
  ///
  /// The error of a calculation, such as that of `0.1 + 0.2`, is no place.
  package func value(of number: Double) -> Double? {
    let units = number * scale
    let whole = units.rounded()
    let tolerance = max(Self.tolerance, abs(whole) * Self.relativeTolerance)
    guard abs(whole) < Self.unitLimit, abs(units - whole) <= tolerance else { return nil }
    // Adding 0 makes 0 of -0.
    return whole / scale + 0
  }

  /// Each number of units below it is another floating-point number: those have 15 decimal digits.
  private static let unitLimit = 1e15
  /// The maximum distance of the result of a calculation from a whole number of units, and in relation to it: the number of
  /// units is itself rounded.
  private static let (tolerance, relativeTolerance) = (1e-6, 0x1p-51)

  /// A value with all places, such as "90.00"; nil for one that isn't a number, or has more places.
  package func text(of value: StateValue) -> String? {
    let number: Double
    switch value {
    case .number(let value): number = value
    case .integer(let value): number = Double(value)
    default: return nil
    }
    guard self.value(of: number) != nil, let units = Int(exactly: (number * scale).rounded()) else {
      return nil
    }
    guard count > 0 else { return "\(units)" }
    let padded = abs(units).padded(to: count + 1)
    return (units < 0 ? "-" : "") + padded.dropLast(count) + "." + padded.suffix(count)
  }

  /// The places in words that follow "a number".
  var phrase: String { count == 1 ? " with 1 decimal place" : " with \(count) decimal places" }
}

/// Texts that match a pattern, or are no longer than a limit.
public struct TextRule: Equatable, Sendable {
  /// The pattern of the whole text; nil for any.
  package let pattern: (any TextPattern)?
  /// The maximum number of characters; nil for any.
  package let maximumLength: Int?
  /// The text of a field that has no other yet; without it, that is the empty text, which is accepted then.
  let initial: String?

  package init(matching pattern: (any TextPattern)?, maximumLength: Int?, initial: String?) {
    (self.pattern, self.maximumLength, self.initial) = (pattern, maximumLength, initial)
  }

  /// Whether both accept the same texts.
  public static func == (left: TextRule, right: TextRule) -> Bool {
    left.pattern?.text == right.pattern?.text && left.maximumLength == right.maximumLength
      && (left.initial == nil) == (right.initial == nil)
  }

  func accepts(_ text: String) -> Bool {
    if text.isEmpty, initial == nil { return true }
    if let maximumLength, text.count > maximumLength { return false }
    return pattern?.matches(text) ?? true
  }

  /// The texts in words that follow "expected".
  var phrase: String {
    "a string"
      + (maximumLength.map { " of at most \($0) characters" } ?? "")
      + (pattern.map { " that matches \($0.text.quoted)" } ?? "")
  }
}

package protocol TextPattern: Sendable {
  /// The pattern as it is declared.
  var text: String { get }

  /// Whether it matches the whole of a text.
  func matches(_ text: String) -> Bool
}

/// Records of another list of the same feature, which are known by their ids.
public struct ReferenceType: Equatable, Sendable {
  /// The effect of removing a record on the references to it.
  package enum Removal: String, CaseIterable, Sendable {
    case refuse
    /// References to the record become nil.
    case clear
    /// Records that refer to it are removed, too.
    case remove
  }

  package let feature: String
  package let list: String
  package let removal: Removal

  package init(to list: String, of feature: String, removal: Removal) {
    (self.list, self.feature, self.removal) = (list, feature, removal)
  }

  package var path: String { "\(feature).\(list)" }
}
