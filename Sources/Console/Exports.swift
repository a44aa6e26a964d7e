// A program imports only Console.
@_exported public import Lua
@_exported public import Scripting
@_exported public import StateStore
