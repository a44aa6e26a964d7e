import Foundation
import Testing
import TestSupport

@Suite("Completions and the manual page")
struct ShellTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Completes lines in a shell that has read the completions; nil if the shell isn't installed.
  private func completions(
    of lines: [(text: String, completion: String)], in shell: String
  ) async throws -> [String]? {
    guard let path = Self.path(of: shell) else { return nil }
    let generated = try await CommandRunner().run(["--generate-completion-script", shell])
    #expect(generated.error == "")
    for (name, text) in [
      ("completions", generated.output), ("script.lua", ""), ("driver", Self.drivers[shell] ?? ""),
      (
        "shop.lua",
        """
        feature "shop" { actions = {
          sell = action { "name: string", "[unit_price: integer]", function() end },
          settle = action { "name: string", function() end },
        } }
        """
      ),
    ] {
      _ = try folder.write(text, to: name)
    }
    var runner = CommandRunner()
    // The completions of functions call the program.
    runner.environment["PATH"] = try CommandRunner.path
    runner.program = path
    runner.workingDirectory = folder.path
    let result = try await runner.run(
      [folder.path(of: "driver")] + lines.flatMap { [$0.text, $0.completion] })
    return result.output.components(separatedBy: "END\n")
  }

  private static func path(of shell: String) -> String? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + shell }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Scripts that get lines, each with one of its completions, and print all completions of each and END.
  private static let drivers = [
    "bash": """
    source completions
    while (( $# )); do
      COMP_LINE="$1" COMPREPLY=()
      IFS=' ' read -ra COMP_WORDS <<< "$1"
      [[ "$1" = *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_POINT=${#COMP_LINE}
      _primerepl primerepl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      [[ ${#COMPREPLY[@]} = 0 ]] && COMPREPLY=($(compgen -f "${COMP_WORDS[COMP_CWORD]}"))
      printf '%s\\n' "${COMPREPLY[@]}" END
      shift 2
    done
    """,
    "fish": """
    source completions
    while set -q argv[1]
      complete -C $argv[1]
      echo END
      set argv $argv[3..]
    end
    """,
    "zsh": #"""
    zmodload zsh/zpty
    while (( $# )); do
      zpty shell zsh -f -i
      zpty -w shell 'PS1=; stty cols 200; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D; source ./completions; LISTMAX=999; zstyle ":completion:*" list-prompt ""; bindkey "^T" list-choices; echo REA""DY'
      zpty -r shell text '*READY*'
      zpty -n -w shell "$1"$'\C-T'
      zpty -r shell text "*$2*"
      print -r -- "$text"
      print END
      zpty -d shell
      shift 2
    done
    """#,
  ]

  /// Lines, each with one of its completions.
  private static let lines: [(text: String, completion: String)] = [
    ("primerepl --ep", "--ephemeral"), ("primerepl te", "test"),
    ("primerepl in", "init"), ("primerepl ne", "new"), ("primerepl --ba", "--bare"),
    ("primerepl --app scr", "script.lua"), ("primerepl test --ap", "--app"),
    ("primerepl --app script.lua te", "test"),
    ("primerepl test --for", "--forbid-only"), ("primerepl docs --format ", "luals"),
    ("primerepl test --report ", "junit"), ("primerepl scr", "script.lua"),
    ("primerepl test scr", "script.lua"), ("primerepl --state scr", "script.lua"),
    ("primerepl --app shop.lua run se", "sell"), ("primerepl --app shop.lua run set", "settle"),
    ("primerepl --app shop.lua run sell pen --un", "--unit-price"),
  ]

  @Test("complete options, subcommands, files and formats", arguments: ["bash", "zsh", "fish"])
  func completes(shell: String) async throws {
    guard let completions = try await completions(of: Self.lines, in: shell) else { return }
    #expect(completions.count == Self.lines.count + 1)
    for (line, text) in zip(Self.lines, completions) {
      #expect(text.contains(line.completion), "\(line.text)")
    }
  }

  @Test("are of any program made with the kit")
  func anyProgram() async throws {
    let runner = CommandRunner(program: "notes")
    let bash = try await runner.run(["--generate-completion-script", "bash"])
    #expect(bash.output.contains("complete -o filenames -o default -F _notes notes"))
    let manual = try await runner.run(["--generate-manual"])
    #expect(manual.output.hasPrefix(#".TH "NOTES" 1"#))
  }

  @Test("describe options, subcommands, variables and files in the manual page")
  func manual() async throws {
    let page = try await CommandRunner().run(["--generate-manual"]).output
    for text in [
      ".B primerepl\ntest [options] [paths ...]\n", ".B \\-\\-ephemeral\n",
      ".B \\-j, \\-\\-jobs n\n", ".SH \"PRIMEREPL TEST\"\n",
      ".SH \"PRIMEREPL INIT\"\n", ".B primerepl\nnew [options] name\n",
      ".SH \"PRIMEREPL NEW\"\n", ".B \\-\\-app file\n", ".B PRIMEREPL_APP\n",
      ".B PRIMEREPL_STATE\n", ".SH FILES\n",
    ] {
      #expect(page.contains(text))
    }
  }

  @Test("align the descriptions of all options in help")
  func columns() async throws {
    for arguments in [["--help"], ["test", "--help"]] {
      let text = try await CommandRunner().run(arguments).output
      let rows = text.split(separator: "\n").filter { $0.hasPrefix("  -") }
      #expect(rows.allSatisfy { $0.dropFirst(24).hasPrefix("  ") || $0.count < 26 })
      #expect(rows.allSatisfy { !$0.dropFirst(26).hasPrefix(" ") })
      #expect(text.split(separator: "\n").filter { $0.hasPrefix("OVERVIEW") }.count == 1)
    }
  }
}
