import Testing

@testable import Scripting

@Suite("A table of signatures")
struct SignatureTableTests {
  @Test(
    "becomes definitions for the Lua language server",
    arguments: [
      (
        "tmp(): string | Makes a folder.\n  print(tmp())",
        """
        ---Makes a folder.
        ---
        ---```lua
        ---print(tmp())
        ---```
        ---@return string
        function tmp() end
        """
      ),
      (
        "async each(t: table<string, any>, [fn: fun(x: any, ...: any): boolean?]): any...",
        """
        ---@async
        ---@param t table<string, any>
        ---@param fn? fun(x: any, ...: any): boolean?
        ---@return any ...
        function each(t, fn) end
        """
      ),
      (
        "group(name: string, n: integer)\n  or (n: integer)",
        """
        ---@param name string
        ---@param n integer
        ---@overload fun(n: integer)
        function group(name, n) end
        """
      ),
      ("secret: feature.type | A text.", "---A text.\n---@type feature.type\nsecret = {}"),
      (
        "class list: parent | A list.\n  [integer]: record[]\n  size?: integer | Its size.\n  clear()",
        """
        do
        ---A list.
        ---@class list: parent
        ---@field [integer] record[]
        ---@field size? integer Its size.
        local object = {}

        function object:clear() end
        end
        """
      ),
      (
        "global expect | Expects.\n  none: matcher\n  equal(a: any)",
        """
        ---Expects.
        ---@class expect
        ---@field none matcher
        expect = {}

        ---@param a any
        function expect.equal(a) end
        """
      ),
      (
        "module clock\n  advance(seconds: number)",
        "---@param seconds number\nfunction clock.advance(seconds) end"
      ),
    ])
  func definitions(table: String, definitions: String) {
    #expect(SignatureTable(table).definitions == definitions + "\n")
  }
}
