import Scenarios

/// An app in Lua to start from, with its scenarios.
struct FirstApp {
  private let name: String
  private let program: String
  /// The name of the feature, which no module of the program has.
  private let feature: String

  init(_ name: String, of console: Console) {
    (self.name, program) = (name, console.name)
    var feature = "cart"
    while console.modules.contains(where: { $0.name == feature }) { feature = "my_\(feature)" }
    self.feature = feature
  }

  /// The path of the app in its folder.
  var path: String { "\(name).lua" }

  /// The app and its scenarios.
  var files: [ProjectFile] {
    [
      ProjectFile(path: path, content: app, isExecutable: true),
      ProjectFile(path: name + ScenarioRecording.fileNameEnd, content: scenarios),
    ]
  }

  /// The commands to type next.
  var nextSteps: String {
    """

    Next:
      cd \(name)
      \(program) --app \(path)       opens a prompt with the app
      \(program) test --app \(path)  runs its scenarios
    """
  }

  private var app: String {
    """
    #!/usr/bin/env -S \(program) --app
    -- A shopping cart. Open a prompt with `\(program) --app \(path)`, and try \(feature).add("pen", 120) and .undo.

    feature "\(feature)" {
      help = "A shopping cart.",

      -- The initial values, which give the types. Each record of a list gets an id.
      state = {
        items = list { name = "", price = 0, quantity = editable(1) },
      },

      -- Values that are computed from the state.
      derived = {
        total = sum("items", function(item) return item.price * item.quantity end),
      },

      -- The functions that change the state. One that fails changes nothing.
      actions = {
        add = action {
          "name: string", "price: integer", "[quantity: integer]",
          help = "Adds an item and returns it.", example = '\(feature).add("pen", 120)',
          function(state, name, price, quantity)
            if price < 0 then fail("bad_price", "A price is 0 or more, not " .. price .. ".") end
            return state.items:append { name = name, price = price, quantity = quantity }
          end,
        },
        remove = action {
          "id: integer", help = "Removes an item.", example = "\(feature).remove(1)",
          function(state, id) state.items:remove(id) end,
        },
        clear = action {
          help = "Removes all items.", example = "\(feature).clear()",
          function(state) state.items:clear() end,
        },
      },
    }

    """
  }

  private var scenarios: String {
    """
    -- Scenarios of the cart: `\(program) test --app \(path)` runs each in a fresh app.
    -- expect.changes has to mention every change of the state.

    scenario("an item is added, and counts toward the total", function()
      expect.changes(function() \(feature).add("pen", 120, 2) end, {
        ["\(feature).items[1]"] = { id = 1, name = "pen", price = 120, quantity = 2 },
        ["\(feature).total"] = 240,
      })
    end)

    scenario("a price can't be negative", function()
      expect.unchanged(function()
        expect.error(function() \(feature).add("pen", -1) end, { code = "bad_price" })
      end)
    end)

    scenario("an item's quantity is changed", function()
      \(feature).add("pen", 120)
      expect.changes(function() \(feature).items[1].quantity = 3 end, {
        ["\(feature).items[1].quantity"] = 3,
        ["\(feature).total"] = 360,
      })
    end)

    scenario("an item is removed", function()
      local pen = \(feature).add("pen", 120)
      expect.changes(function() \(feature).remove(1) end, {
        ["\(feature).items.removed"] = { { id = 1, name = "pen", price = 120, quantity = 1 } },
        ["\(feature).total"] = 0,
      })
      expect.error(function() return pen.name end, { code = "not_found" })
    end)

    scenario("all items are removed, and undo brings them back", function()
      \(feature).add("pen", 120)
      \(feature).add("ink", 80)
      local before = store.state()
      \(feature).clear()
      expect.equal({ #\(feature).items, \(feature).total }, { 0, 0 })
      store.undo()
      expect.equal(store.state(), before)
    end)

    """
  }
}
