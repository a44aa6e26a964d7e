/// A store's states and history at one time, which costs nothing to keep, as it shares what stays the same.
struct StoreSnapshot {
  let states: States
  var history: History
}
