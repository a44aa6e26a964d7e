/// Two scripts on one session, each of which waits for the other: neither ends if it doesn't hear of it.
enum FollowingScripts {
  /// Prints the counts that the other script reaches.
  static let waiting = """
    store.subscribe('counter.count', function(new) print('count', new) end)
    todo.add('ready')
    while counter.count < 3 do task.sleep(0.01) end
    """

  /// Counts to 3 once the other script is ready.
  static let acting = """
    while #todo.items == 0 do task.sleep(0.01) end
    for i = 1, 3 do counter.increment() store.save() end
    """
}
