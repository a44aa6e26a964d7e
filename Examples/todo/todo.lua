#!/usr/bin/env -S primerepl --bare --app
-- The built-in todo list once more, in Lua: compare Sources/Domain/Features/Todo and Sources/Bridge/TodoModule.swift.

-- The texts or items in a file or at an address; without a source, those of a slow one that is always there.
local function read(source)
  if not source then
    task.sleep(2)
    return { "first item", "second item" }
  end
  if source:find("^https?://") then return http.get(source).json end
  local file <close> = assert(io.open(source))
  return json.decode(file:read("a"))
end

local function check(text)
  if not text:find("%S") then fail("empty_text", "The text of an item is empty: write what to do.") end
end

feature "todo" {
  help = "A todo list.",

  state = {
    items      = list { text = "", done = editable(false), newest_first = true },
    query      = editable "",
    last_query = optional "string",
  },

  derived = {
    loading = function(_, app) return app.todo.fetch_pending end,
    error   = function(_, app) return app.todo.fetch_error end,
  },

  actions = {
    add = action {
      "text: string", help = "Adds an item, clears the query, and returns the item.", example = 'todo.add("buy milk")',
      function(state, text)
        check(text)
        state.query, state.last_query = "", text
        return state.items:append { text = text }
      end,
    },
    rename = action {
      "id: integer", "text: string", help = "Changes an item's text.", example = 'todo.rename(item.id, "oat milk")',
      function(state, id, text)
        check(text)
        state.items:get(id).text = text
      end,
    },
    remove = action {
      "id: integer", help = "Removes an item.", example = "todo.remove(1)",
      function(state, id) state.items:remove(id) end,
    },
    recover_last_query = action {
      help = "Sets the query to the last text that was added.", example = "todo.recover_last_query()",
      function(state)
        if not state.last_query then fail("nothing_saved", "No text was added yet.") end
        state.query = state.last_query
      end,
    },
  },

  requests = {
    fetch = request {
      "[source: string]", help = "Replaces the items by those of a JSON file or address.", example = "todo.fetch()",
      latest = true,
      ask = function(_, source) return read(source) end,
      done = function(state, items)
        state.items:clear()
        for position, item in ipairs(items) do
          if type(item) == "string" then item = { text = item } end
          state.items:insert(position, item)
        end
      end,
    },
  },

  functions = {
    filtered = function(todo)
      local found = {}
      for _, item in ipairs(todo.items) do
        if item.text:lower():find(todo.query:lower(), 1, true) then found[#found + 1] = item end
      end
      return found
    end,
  },
}
