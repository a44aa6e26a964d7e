import Foundation
import Lua

struct Item: Codable, Equatable {
  var id: Int
  var text: String
  var done: Bool
  var note: String?
}

struct List: Codable, Equatable {
  var items: [Item]
}

enum Color: String, Codable { case red, green }

enum Shape: Codable, Equatable {
  case point
  case circle(radius: Double)
  case pair(Int, Int)
}

struct Everything: Codable, Equatable {
  var flag: Bool
  var integer: Int64
  var small: Int8
  var unsigned: UInt32
  var number: Double
  var float: Float
  var text: String
  var bytes: [UInt8]
  var data: Data
  var color: Color
  var shapes: [Shape]
  var numbers: [Int?]
  var names: [String: [Double]]
  var byNumber: [Int: String]
  var bySmallNumber: [UInt8: Bool]
  var tuples: [[Int]]
  var item: Item?
}

/// A tree whose nodes are values.
struct Branch: Codable, Equatable {
  var name: String
  var branches: [Branch]
}

class Animal: Codable {
  var name: String

  init(name: String) { self.name = name }
}

/// A class that encodes its superclass by a super encoder.
final class Dog: Animal {
  var tricks: [String]

  private enum CodingKeys: CodingKey { case tricks }

  init(name: String, tricks: [String]) {
    self.tricks = tricks
    super.init(name: name)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tricks = try container.decode([String].self, forKey: .tricks)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(to: container.superEncoder())
    try container.encode(tricks, forKey: .tricks)
  }
}

/// Uses every kind of nested container, all held at once.
struct Nesting: Codable, Equatable {
  var first: Int
  var second: Int
  var third: String

  private enum Outer: CodingKey { case record, list }
  private enum Inner: CodingKey { case value }

  init(first: Int, second: Int, third: String) {
    self.first = first
    self.second = second
    self.third = third
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Outer.self)
    var record = container.nestedContainer(keyedBy: Inner.self, forKey: .record)
    var list = container.nestedUnkeyedContainer(forKey: .list)
    var inList = list.nestedContainer(keyedBy: Inner.self)
    var deeper = list.nestedUnkeyedContainer()
    try deeper.encode(third)
    try record.encode(first, forKey: .value)
    try inList.encode(second, forKey: .value)
    try list.encodeNil()
    var last = list.superEncoder().singleValueContainer()
    try last.encode(third)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Outer.self)
    let record = try container.nestedContainer(keyedBy: Inner.self, forKey: .record)
    var list = try container.nestedUnkeyedContainer(forKey: .list)
    let inList = try list.nestedContainer(keyedBy: Inner.self)
    var deeper = try list.nestedUnkeyedContainer()
    first = try record.decode(Int.self, forKey: .value)
    second = try inList.decode(Int.self, forKey: .value)
    third = try deeper.decode(String.self)
    guard try list.decodeNil(), deeper.isAtEnd,
      try list.superDecoder().singleValueContainer().decode(String.self) == third, list.isAtEnd
    else {
      throw DecodingError.dataCorruptedError(in: list, debugDescription: "not as it was encoded")
    }
  }
}

/// Gives any keys of a table.
struct KeyList: Decodable {
  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) {
      stringValue = "\(intValue)"
      self.intValue = intValue
    }
  }

  var values: [String: Int]

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    values = [:]
    for key in container.allKeys {
      let name = key.intValue == nil ? key.stringValue : "#\(key.stringValue)"
      values[name] = try container.decode(Int.self, forKey: key)
    }
  }
}
