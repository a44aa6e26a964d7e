import Lua
import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPlatform

/// Waiting for code at a prompt: shows the awaited function, and lets the code continue in the background.
@MainActor
final class WaitingCode {
  private let task: LuaTask
  private let editor: LineEditor?
  private var continuation: CheckedContinuation<Bool, Never>?

  /// The time before the awaited function is shown.
  private static let quietTime = Duration.milliseconds(500)
  private static let frameTime = Duration.milliseconds(100)
  private static let frames = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

  init(for task: LuaTask, on screen: PromptScreen) {
    self.task = task
    editor = screen.editor
  }

  /// Waits until the code has ended, or the user lets it continue in the background; returns whether it has ended.
  func hasEnded() async -> Bool {
    guard task.status == .running || task.status == .waiting else { return true }
    let display = editor.map { editor in Task { await show(on: editor) } }
    do throws(SystemCallError) {
      // Ctrl-T: the terminal sends this signal for it (see `LineEditor.beginWaiting`).
      try SignalAction.set(for: SIGQUIT, flags: Int32(SA_RESTART)) { [weak self] _ in
        self?.resume(false)
      }
    } catch {
      // No descriptors are left, so the key doesn't work.
    }
    defer {
      SignalAction.remove(for: SIGQUIT)
      display?.cancel()
      editor?.endWaiting()
    }
    return await withCheckedContinuation { continuation in
      self.continuation = continuation
      task.whenEnded { [weak self] in MainActor.assumeIsolated { self?.resume(true) } }
    }
  }

  private func resume(_ hasEnded: Bool) {
    continuation?.resume(returning: hasEnded)
    continuation = nil
  }

  /// Shows what is awaited, until the Swift task is cancelled.
  private func show(on editor: LineEditor) async {
    do {
      try await Task.sleep(for: Self.quietTime)
      editor.beginWaiting()
      var frame = 0
      while true {
        editor.showWaiting(row(Self.frames[frame % Self.frames.count]))
        frame += 1
        try await Task.sleep(for: Self.frameTime)
      }
    } catch {
      // Cancelled: the waiting has ended.
    }
  }

  private func row(_ frame: Character) -> StyledText {
    var text = "\(frame) \(TaskText.elapsed(since: task.startTime))"
    if let awaited = TaskText.awaited(by: task) { text += "  \(awaited)" }
    return StyledText(text + "  (Ctrl-C cancels, Ctrl-T continues in the background)", .dim)
  }
}
