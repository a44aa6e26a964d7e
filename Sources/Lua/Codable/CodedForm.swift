internal import Foundation

/// How the values of a type are coded.
enum CodedForm<Collection> {
  case string
  case integer
  case double
  case boolean
  /// As another boolean, number or string.
  case scalar(any CodedScalar.Type)
  /// By its elements or entries.
  case collection(Collection)
  /// By its own `encode(to:)` or `init(from:)`; an object may be a part of itself.
  case object
  /// By its own `encode(to:)` or `init(from:)`.
  case other

  /// The form of the commonest types.
  ///
  /// Found by comparing types: in unspecialised generic code, casting a value takes longer than everything else.
  @inline(__always)
  init?<Value>(common type: Value.Type) {
    if type == String.self {
      self = .string
    } else if type == Int.self {
      self = .integer
    } else if type == Double.self {
      self = .double
    } else if type == Bool.self {
      self = .boolean
    } else {
      return nil
    }
  }
}

/// The forms of the types that a coder has met.
struct CodedForms<Collection> {
  private var forms: [(type: ObjectIdentifier, form: CodedForm<Collection>)] = []
  private let collection: (Any.Type) -> Collection?

  /// - Parameter collection: Casts the type of an array or dictionary; `nil` for any other type.
  init(collection: @escaping (Any.Type) -> Collection?) { self.collection = collection }

  @inline(__always)
  mutating func form<Value>(of type: Value.Type) -> CodedForm<Collection> {
    if let form = CodedForm<Collection>(common: type) { return form }
    // No scalar, collection or object is larger; this spares most structs the search.
    guard MemoryLayout<Value>.size <= MemoryLayout<Decimal>.size else { return .other }
    return uncommonForm(of: type)
  }

  private mutating func uncommonForm(of type: Any.Type) -> CodedForm<Collection> {
    let identifier = ObjectIdentifier(type)
    for known in forms where known.type == identifier { return known.form }
    let form: CodedForm<Collection> =
      if let scalar = type as? any CodedScalar.Type {
        .scalar(scalar)
      } else if let collection = collection(type) {
        .collection(collection)
      } else {
        type is AnyClass ? .object : .other
      }
    forms.append((identifier, form))
    return form
  }
}

/// A type whose values are coded as one boolean, number or string, the same as when they are arguments.
protocol CodedScalar: LuaReadable, LuaPushable {}

extension CodedScalar {
  /// Pushes a value of this very type.
  static func push<Value>(_ value: Value, to stack: LuaStack) throws(LuaError) {
    try unsafeBitCast(value, to: Self.self).push(to: stack)
  }

  /// Reads a value of this very type.
  static func read<Value>(as type: Value.Type, from stack: LuaStack, at index: Int32)
    throws(LuaTypeMismatch) -> Value
  {
    unsafeBitCast(try read(from: stack, at: index), to: type)
  }
}

extension Float: CodedScalar {}
extension Int8: CodedScalar {}
extension Int16: CodedScalar {}
extension Int32: CodedScalar {}
extension Int64: CodedScalar {}
extension Int128: CodedScalar {}
extension UInt: CodedScalar {}
extension UInt8: CodedScalar {}
extension UInt16: CodedScalar {}
extension UInt32: CodedScalar {}
extension UInt64: CodedScalar {}
extension UInt128: CodedScalar {}
extension Array: CodedScalar where Element == UInt8 {}
extension Data: CodedScalar {}
extension Date: CodedScalar {}
extension Decimal: CodedScalar {}
extension UUID: CodedScalar {}
extension URL: CodedScalar {}
