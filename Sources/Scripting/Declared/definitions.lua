---@meta
-- The vocabulary of files for --app, which declare features, for the Lua language server. It is never run.

-- MARK: Features

---A feature: its state, and what scripts see of it as a module of the same name.
---@class feature.declaration
---@field help? string The purpose of the module, in one line.
---@field state? table<string, any> The fields with their initial values, which give the types; or types such as `list`.
---@field derived? table<string, fun(state: table, app: app): any> Fields that are computed from the state.
---@field actions? table<string, feature.action|fun(state: table, ...: any): ...> The only functions that change the state.
---@field requests? table<string, feature.request> Questions to services, whose answers change the state.
---@field functions? table<string, async fun(module: table, ...: any): ...> Functions that may wait, and call modules.
---@field version? integer The version of the state, for `migrate`; 1 by default.
---@field migrate? fun(state: table, from: integer) Changes a state that an earlier version saved.

---Declares a feature.
---
---```lua
---feature "counter" {
---  state = { count = 0 },
---  actions = { increment = function(state) state.count = state.count + 1 end },
---}
---```
---@param name string The name of its module, in snake case.
---@return fun(declaration: feature.declaration)
function feature(name) end

-- MARK: Types

---A type of a field.
---@class feature.type

---A list of records. Each gets an id; the defaults of the other fields give their types. The options `newest_first = true`
---and `sorted_by = "price"` determine the order.
---
---```lua
---items = list { name = "", price = 0, quantity = editable(1) }
---```
---@param fields table<string, any>
---@return feature.type
function list(fields) end

---A record: named values.
---@param fields table<string, any>
---@return feature.type
function record(fields) end

---A field that scripts can assign, with a default or a type; the others are changed only by actions.
---@param default any
---@return feature.type
function editable(default) end

---A value of a type, or nil, which is the initial one.
---@param type "boolean"|"integer"|"number"|"string"|feature.type
---@return feature.type
function optional(type) end

---One of several texts, of which the first is the initial one.
---@param texts string[]
---@return feature.type
function enum(texts) end

---A set of integers or texts.
---@param type "integer"|"string"
---@return feature.type
function set(type) end

---A text that is never shown or stored, such as a password.
---@type feature.type
secret = {}

-- MARK: Actions and requests

---An action with descriptions. Its elements are the parameters, such as "name: string" and "[quantity: integer]", and then
---its function.
---@class feature.action
---@field [integer] string|fun(state: table, ...: any): ...
---@field help? string What it does, in one line.
---@field example? string A line of Lua that uses it.

---Declares an action. Its function gets a draft of the state and the arguments.
---
---```lua
---add = action {
---  "name: string", "[quantity: integer]", help = "Adds an item and returns it.", example = 'cart.add("pen")',
---  function(state, name, quantity) return state.items:append { name = name, quantity = quantity } end,
---}
---```
---@param declaration feature.action
---@return feature.action
function action(declaration) end

---A request. Its elements are the parameters, such as "card: secret".
---@class feature.request
---@field [integer] string
---@field help? string What it asks, in one line.
---@field example? string A line of Lua that uses it.
---@field ask async fun(module: table, ...: any): any Asks, and returns the answer; it may wait.
---@field asked? fun(state: table, ...: any) Changes the state when the question is asked.
---@field done fun(state: table, answer: any) Changes the state when the answer has come.
---@field exclusive? boolean Whether it is refused while an earlier one is pending.
---@field latest? boolean Whether it replaces an earlier one that is pending, whose answer then changes nothing.

---Declares a request. Whether it is pending, and its error, are fields of the state.
---@param declaration feature.request
---@return feature.request
function request(declaration) end

---Ends an action with an error; the state stays as it was.
---
---```lua
---if price < 0 then fail("bad_price", "A price is 0 or more.") end
---```
---@param code string A word for scripts and scenarios to test, in snake case.
---@param message string
function fail(code, message) end

-- MARK: Drafts

do
---A record in a draft of the state.
---@class draft.record
---@field id integer
---@field [string] any

---A list in a draft of the state. `#list` and `ipairs(list)` work, too.
---@class draft.list
---@field [integer] draft.record
---@operator len: integer
local records = {}

---Adds a record at the end, or where its order places it, and returns it.
---@param fields table
---@return draft.record
function records:append(fields) end

---Adds a record at a position, and returns it.
---@param position integer
---@param fields table
---@return draft.record
function records:insert(position, fields) end

---Removes a record, which is given by its id or itself; one that isn't there is an error.
---@param id integer|draft.record
function records:remove(id) end

---The record of an id; nil if there is none.
---@param id integer
---@return draft.record?
function records:get(id) end

---Moves a record, which is given by its id or itself, to a position.
---@param id integer|draft.record
---@param position integer
function records:move(id, position) end

---Removes all records.
function records:clear() end

---The first record for which a function returns a true value; nil if there is none.
---@param fn fun(record: draft.record): any
---@return draft.record?
function records:find(fn) end

---A set in a draft of the state. `#set` and `ipairs(set)` work, too.
---@class draft.set
---@field [integer] integer|string
---@operator len: integer
local elements = {}

---Adds an element; returns whether it is new.
---@param element integer|string
---@return boolean
function elements:add(element) end

---Removes an element; returns whether it was there.
---@param element integer|string
---@return boolean
function elements:remove(element) end

---Whether the set has an element.
---@param element integer|string
---@return boolean
function elements:contains(element) end

---Removes all elements.
function elements:clear() end
end
