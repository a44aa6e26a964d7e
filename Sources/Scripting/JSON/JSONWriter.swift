import Lua
import StateStore

/// Writes Lua values as JSON text.
struct JSONWriter {
  /// The metatable of arrays that were read, by which an empty one is written as an array again.
  let arrayMark: LuaTable

  private let write: LuaFunction

  /// Makes a writer for the values of a state.
  ///
  /// - Throws: `LuaError` if the state is closed or out of memory.
  private init(in state: LuaState, _ library: LibraryFunctions) throws(LuaError) {
    let mark = try state.makeTable(LuaRecord([:]))
    arrayMark = mark
    let tools = LuaModule("json", help: "What the writer uses.")
    tools.function(
      "traits", "value", help: "Whether it has fields of its own making, and a length.",
      example: "json.traits(x)"
    ) { (traits: Traits) in (traits.hasEntries, traits.hasLength) }
    tools.function(
      "fail", "problem", "path", help: "Raises an error.", example: "json.fail(\"no\", \"x[1]\")"
    ) { (problem: LuaString, path: LuaString?) throws -> Void in
      throw JSONError(place: .path(path?.description), problem: problem.description)
    }
    let table = try state.makeTable(tools)
    let list = try state.makeTable(StateValue.list([])).metatable()
    write = try library.run(
      writerChunk, LuaNull.null, mark, list, maximumJSONDepth,
      table.get("traits", as: LuaFunction.self), table.get("fail", as: LuaFunction.self))
  }

  /// Makes the writer when it is first used.
  final class Loader {
    private weak let state: LuaState?
    private let library: LibraryFunctions
    private var loaded: JSONWriter?

    init(in state: LuaState?, _ library: LibraryFunctions) {
      (self.state, self.library) = (state, library)
    }

    /// The writer.
    ///
    /// - Throws: `LuaError` if the state is closed or out of memory.
    func writer() throws(LuaError) -> JSONWriter {
      if let loaded { return loaded }
      guard let state else { throw LuaError(.stateClosed, "the Lua state is closed") }
      let writer = try JSONWriter(in: state, library)
      loaded = writer
      return writer
    }
  }

  /// A value as JSON text.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isPretty: Whether each element and member has a line of its own.
  /// - Returns: The text, without a line end.
  /// - Throws: ``JSONError`` for a value that JSON has no place for; what metamethods raise.
  func text(of value: LuaValue, isPretty: Bool) throws -> LuaString {
    do throws(LuaError) {
      return try write.call(value, isPretty, as: LuaString.self)
    } catch {
      // Without its place in the writer: it is the caller's mistake.
      if let error = error.underlying as? JSONError { throw error }
      throw error
    }
  }
}

/// What a value's class defines.
struct Traits: LuaReadable {
  let hasEntries: Bool
  let hasLength: Bool

  static var luaTypeName: String { "any" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    do {
      try stack.describeModule(at: index)
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: error.message)
    }
    return Traits(
      hasEntries: stack.hasMetafield("__pairs", at: index),
      hasLength: stack.hasMetafield("__len", at: index))
  }
}

/// In Lua, because it walks Lua values through their metamethods.
private let writerChunk = CompiledChunk(Array(writerSource.utf8), name: .text("json"))

private let writerSource = #"""
  local null, array_mark, list_mark, maximum_depth, traits, fail = ...
  local type, tonumber, format, next, pairs = type, tonumber, string.format, next, pairs
  local rawequal, getmetatable = rawequal, getmetatable
  local find, gsub, byte, sub, rep = string.find, string.gsub, string.byte, string.sub, string.rep
  local sort, concat, utf8_len = table.sort, table.concat, utf8.len
  local huge, math_type = math.huge, math.type

  local escapes = setmetatable({
    ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r",
    ["\t"] = "\\t",
  }, {
    __index = function(_, control) return format("\\u%04x", byte(control)) end,
  })

  local function is_text(s) return not find(s, "[\128-\255]") or utf8_len(s) end

  local function quote(s)
    if find(s, '[\0-\31"\\]') then s = gsub(s, '[\0-\31"\\]', escapes) end
    return '"' .. s .. '"'
  end

  local float_formats = { "%.15g", "%.16g", "%.17g" }

  -- The shortest text that reads as the same float, and not as an integer.
  local function float(n)
    local text
    for i = 1, 3 do
      text = format(float_formats[i], n)
      if tonumber(text) == n then break end
    end
    if find(text, "^%-?%d+$") then return text .. ".0" end
    -- A locale may have another decimal point.
    return (gsub(text, "[^%de+-]", "."))
  end

  -- The first keys of a path, as Lua code would index with them.
  local function path_text(path, count)
    if count == 0 then return nil end
    local steps = {}
    for i = 1, count do
      local key = path[i]
      if type(key) == "number" then
        steps[i] = "[" .. key .. "]"
      else
        key = #key > 60 and sub(key, 1, 60) .. "..." or key
        if find(key, "^[%a_][%w_]*$") then
          steps[i] = (i > 1 and "." or "") .. key
        else
          steps[i] = "[" .. quote(key) .. "]"
        end
      end
    end
    return concat(steps)
  end

  -- The names and the number of positions of a table's or object's entries, and a table of the entries themselves;
  -- or nil and what is wrong. Only a list of the state may have names beside its positions.
  local function entries_of(value, is_plain, is_list)
    local iterate, state, key, closing = next, value, nil, nil
    if not is_plain then iterate, state, key, closing = pairs(value) end
    local names, positions, last = {}, 0, 0
    local entries = is_plain and value or {}
    for key, element in iterate, state, key, closing do
      if type(key) == "string" then
        if not is_text(key) then return nil, "it has a name that isn't valid UTF-8" end
        names[#names + 1] = key
      elseif math_type(key) == "integer" then
        positions = positions + 1
        if key < 1 then last = huge elseif key > last then last = key end
      else
        return nil, "it has a key that is a " .. (math_type(key) or type(key))
      end
      if not is_plain then entries[key] = element end
    end
    if positions > 0 and #names > 0 and not is_list then return nil, "it has both positions and names" end
    if last ~= positions then
      return nil, "it has positions with gaps between them; json.null fills a gap"
    end
    return names, positions, entries
  end

  local problems = {
    ["nil"] = "it is nil; json.null stands for null", ["function"] = "it is a function",
    thread = "it is a coroutine", userdata = "it is an object without fields",
  }

  return function(root, is_pretty)
    local pieces, path, open = {}, {}, {}
    local colon = is_pretty and ": " or ":"
    local write

    local function add(piece) pieces[#pieces + 1] = piece end

    local function refuse(problem, depth) fail(problem, path_text(path, depth)) end

    local function new_line(depth)
      if is_pretty then add("\n" .. rep("  ", depth)) end
    end

    local function write_array(elements, count, depth)
      add("[")
      for i = 1, count do
        if i > 1 then add(",") end
        new_line(depth + 1)
        path[depth + 1] = i
        write(elements[i], depth + 1)
      end
      if count > 0 then new_line(depth) end
      add("]")
    end

    local write_members

    local function write_member(name, value, depth)
      add(quote(name) .. colon)
      path[depth + 1] = name
      write(value, depth + 1)
      if type(value) ~= "table" or not rawequal(getmetatable(value), list_mark) then return end
      -- What is beside a list has no place in an array, so it is beside that one: "persons.loading".
      open[value] = true
      write_members(value, entries_of(value, true, true), depth, name .. ".")
      open[value] = nil
    end

    -- Writes members of an object, after others if their names have a prefix.
    write_members = function(fields, names, depth, prefix)
      sort(names)
      for i = 1, #names do
        if i > 1 or prefix then add(",") end
        new_line(depth + 1)
        write_member((prefix or "") .. names[i], fields[names[i]], depth)
      end
    end

    local function write_object(fields, names, depth)
      add("{")
      write_members(fields, names, depth)
      if #names > 0 then new_line(depth) end
      add("}")
    end

    local function write_entries(value, depth)
      if open[value] then refuse("it contains itself", depth) end
      if depth == maximum_depth then
        refuse("it is nested more than " .. maximum_depth .. " deep", depth)
      end
      open[value] = true
      local metatable = getmetatable(value)
      local is_list = rawequal(metatable, list_mark)
      local is_array = is_list or rawequal(metatable, array_mark)
      local is_plain = type(value) == "table" and (metatable == nil or is_array)
      local has_entries, has_length = false, false
      if not is_plain then has_entries, has_length = traits(value) end
      if type(value) == "userdata" and not has_entries then refuse(problems.userdata, depth) end
      local names, positions, entries = entries_of(value, is_plain, is_list)
      if not names then refuse(positions, depth) end
      if is_list or positions > 0 or #names == 0 and (is_array or has_length) then
        write_array(entries, positions, depth)
      else
        write_object(entries, names, depth)
      end
      open[value] = nil
    end

    write = function(value, depth)
      local kind = type(value)
      if kind == "string" then
        if not is_text(value) then refuse("it isn't valid UTF-8", depth) end
        add(quote(value))
      elseif math_type(value) == "integer" then
        add(format("%d", value))
      elseif kind == "number" then
        if value ~= value then refuse("it is not a number", depth) end
        if value == huge or value == -huge then refuse("it is infinite", depth) end
        add(float(value))
      elseif kind == "boolean" then
        add(value and "true" or "false")
      elseif rawequal(value, null) then
        add("null")
      elseif kind == "table" or kind == "userdata" then
        write_entries(value, depth)
      else
        refuse(problems[kind], depth)
      end
    end

    write(root, 0)
    return concat(pieces)
  end
  """#
