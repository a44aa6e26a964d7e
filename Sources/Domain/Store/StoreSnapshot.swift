/// A store's state and history at one time, which costs nothing to keep, as it shares what stays the same.
struct StoreSnapshot {
  let state: App.State
  var history: History
}
