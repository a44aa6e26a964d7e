package import PrimereplLineEditing
package import StateStore

/// A state, or a part of it, as a tree that fits on the screen.
///
///     state
///     ├─ counter
///     │  ├─ count 7
///     │  └─ alert nil
///     └─ favorites 100,000 elements
///        ├─ [1] 2
///        ├─ [2] 3
///        └─ ... 99,998 more
///
/// Only the elements that are shown are read. If there is little room, the outer levels are shown, and the inner ones
/// in one line.
package struct StateTree {
  private let root: Node
  private let name: String

  /// An empty path is that of the whole state.
  package init(_ path: String = "", of store: Store) throws(StatePathError) {
    let expression = try StateExpression(path, in: store.schema)
    name = path.isEmpty ? "state" : path
    root = Node(expression, in: store.states)
  }

  package func lines(in size: ScreenSize) -> [StyledText] {
    var tree = ExpandedTree(root, room: max(4, size.rows - 3))
    tree.expand()
    return tree.lines(named: name, columns: size.columns)
  }
}

// MARK: - Nodes

/// A part of a state, whose children are read when it is shown.
private enum Node {
  case value(StateValue)
  /// A list, with the fields below its path.
  case list(ListElements<StateValue>, [(name: String, node: Node)])
  case fields([(name: String, node: Node)])

  init(_ expression: StateExpression, in states: States) {
    if let field = expression.onlyField, !expression.isSize {
      self = Node(field, in: states)
    } else if expression.isSize, let field = expression.onlyField {
      let size = StateExpression.size(of: field, in: states)
      self = .value(size.map { .integer($0) } ?? .none)
    } else {
      let prefix = expression.path.isEmpty ? 0 : expression.path.utf8.count + 1
      self = Self.nested(
        expression.fields.map { (path: $0.path.dropFirst(prefix), node: Node($0, in: states)) }[...]
      )
    }
  }

  private init(_ field: AnyField, in states: States) {
    if let elements = field.elements(in: states) {
      self = .list(elements, [])
    } else {
      self.init(field.value(in: states))
    }
  }

  init(_ value: StateValue) {
    switch value {
    case .list(let values, let members) where !values.isEmpty:
      self = .list(ListElements(values), members.map { ($0.name, Node($0.value)) })
    case .record(let members) where !members.isEmpty:
      self = .fields(members.map { ($0.name, Node($0.value)) })
    default: self = .value(value)
    }
  }

  /// Nests fields by the dots of their paths, where those of one parent are adjacent.
  private static func nested(_ fields: ArraySlice<(path: Substring, node: Node)>) -> Node {
    var children: [(name: String, node: Node)] = []
    var rest = fields
    while let first = rest.first {
      let name = first.path.prefix { $0 != "." }
      var own: Node?
      if first.path == name { own = rest.removeFirst().node }
      let inner = rest.prefix { $0.path.hasPrefix(name + ".") }
      rest.removeFirst(inner.count)
      let below = inner.map { (path: $0.path.dropFirst(name.count + 1), node: $0.node) }
      if case .list(let elements, _)? = own, case .fields(let members) = nested(below[...]) {
        children.append((String(name), .list(elements, members)))
      } else {
        children.append((String(name), own ?? nested(below[...])))
      }
    }
    return .fields(children)
  }

  var childCount: Int {
    switch self {
    case .value: 0
    case .list(let elements, let members): elements.count + members.count
    case .fields(let fields): fields.count
    }
  }

  /// The fields of a list come before its elements.
  func child(_ index: Int) -> (name: String, node: Node) {
    switch self {
    case .value(let value): ("", .value(value))
    case .list(_, let members) where index < members.count: members[index]
    case .list(let elements, let members):
      ("[\(index - members.count + 1)]", .value(elements[index - members.count]))
    case .fields(let fields): fields[index]
    }
  }

  /// Nil for anything but a list.
  var listFieldCount: Int? { if case .list(_, let members) = self { members.count } else { nil } }

  /// The text after the name.
  func text(isExpanded: Bool, limit: Int) -> String {
    switch self {
    case .value(let value): value.shown(limit: limit)
    case .list(let elements, _) where isExpanded || elements.isEmpty:
      elements.count.counted("element")
    case .list(let elements, _): elements.shownElements(limit: limit)
    case .fields where isExpanded: ""
    case .fields(let fields): fields.isEmpty ? "{}" : "{ \(fields.count.counted("field")) }"
    }
  }
}

// MARK: - Expanding

/// The nodes of a tree that are shown: the outer ones first, as long as there is room.
private struct ExpandedTree {
  private struct Item {
    let name: String
    let node: Node
    var children: [Int] = []
    var hidden = 0
    var isExpanded: Bool { !children.isEmpty }
  }

  private var items: [Item]
  private var room: Int

  /// The maximum number of elements that are shown of a list which isn't the whole tree.
  private static let innerElements = 3

  init(_ root: Node, room: Int) {
    items = [Item(name: "", node: root)]
    self.room = room - 1
  }

  mutating func expand() {
    var index = 0
    while index < items.count, room > 0 {
      expand(index)
      index += 1
    }
  }

  private mutating func expand(_ index: Int) {
    let node = items[index].node
    let count = node.childCount
    var shown = count
    if index == 0 {
      if count > room { shown = room - 1 }
    } else if let fields = node.listFieldCount {
      let limit = min(room, fields + Self.innerElements + 1)
      if count > limit { shown = limit - 1 }
    }
    let rows = shown + (shown < count ? 1 : 0)
    guard shown > 0, rows <= room else { return }
    room -= rows
    for child in 0..<shown {
      let (name, node) = node.child(child)
      items[index].children.append(items.count)
      items.append(Item(name: name, node: node))
    }
    items[index].hidden = count - shown
  }

  func lines(named name: String, columns: Int) -> [StyledText] {
    var lines = [line("", name, items[0], columns)]
    add(to: &lines, below: 0, margin: "", columns)
    return lines
  }

  private func add(
    to lines: inout [StyledText], below index: Int, margin: String, _ columns: Int
  ) {
    let item = items[index]
    for (position, child) in item.children.enumerated() {
      let isLast = position == item.children.count - 1 && item.hidden == 0
      let start = margin + (isLast ? "└─ " : "├─ ")
      lines.append(line(start, items[child].name, items[child], columns))
      add(to: &lines, below: child, margin: margin + (isLast ? "   " : "│  "), columns)
    }
    guard item.hidden > 0 else { return }
    let rest = StyledText("\(margin)└─ ... \(item.hidden.grouped) more", .dim)
    lines.append(rest.fitted(to: columns))
  }

  private func line(_ start: String, _ name: String, _ item: Item, _ columns: Int) -> StyledText {
    let text = item.node.text(isExpanded: item.isExpanded, limit: max(20, columns))
    let style: Style = item.isExpanded && item.node.listFieldCount == nil ? .bold : .plain
    let value =
      text.isEmpty ? StyledText() : StyledText(" " + text, item.isExpanded ? .dim : .plain)
    return (StyledText(start, .dim) + StyledText(name, style) + value).fitted(to: columns)
  }
}
