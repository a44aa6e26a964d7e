import ArgumentParser

/// The completions of a program's command line, as a script for a shell.
///
/// The parser's own script offers the subcommands, options and their values; this one adds the scripts to run, and after
/// `run` the functions of the app and their parameters, which the program lists.
struct CompletionScript {
  private let shell: CompletionShell
  private let program: String

  init(for shell: CompletionShell, program: String) {
    (self.shell, self.program) = (shell, program)
  }

  var text: String {
    var script = DescribedCommand.completionScript(for: shell)
    func replace(_ text: String, with other: String, maxReplacements: Int = .max) {
      script.replace(text, with: other, maxReplacements: maxReplacements)
    }
    // The command itself has no positional arguments, or they would be taken before the subcommands.
    switch shell {
    case .bash:
      replace(
        "__\(program)_offer_flags_options -1", with: "__\(program)_offer_flags_options 0",
        maxReplacements: 1)
      // Files where nothing else fits.
      replace("complete -o filenames ", with: "complete -o filenames -o default ")
      replace(
        "_\(program)() {\n",
        with: """
          _\(program)() {
              local index
              for (( index = 1; index < COMP_CWORD; index++ )); do
                  if [[ "${COMP_WORDS[index]}" == \(FunctionCall.word) ]]; then
                      local names
                      names="$("${COMP_WORDS[0]}" --\(RunCommand.namesOption) "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"
                      mapfile -t COMPREPLY < <(compgen -W "${names}" -- "${COMP_WORDS[COMP_CWORD]}")
                      return
                  fi
              done

          """, maxReplacements: 1)
    case .zsh:
      let subcommands = "_describe -V subcommand subcommands && ret=0"
      replace(subcommands, with: subcommands + #"; _files -g "*.lua" && ret=0"#, maxReplacements: 1)
      replace(
        "_\(program)() {\n",
        with: """
          _\(program)() {
              local -i index=${words[(i)\(FunctionCall.word)]}
              if (( index > 1 && index < CURRENT )); then
                  local -a names=("${(f)$("${(Q)words[1]}" --\(RunCommand.namesOption) \
                      "${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}")
                  compadd -a names || _files
                  return
              fi

          """, maxReplacements: 1)
    default:
      replace(
        "__\(program)_parse_subcommand -r 1", with: "__\(program)_parse_subcommand 0",
        maxReplacements: 1)
      let isFirst = #"__\#(program)_should_offer_completions_for_positional "\#(program)""#
      replace(isFirst + " -eq 2", with: isFirst + " -eq 1")
      script +=
        """

        complete -c '\(program)' -n '\(isFirst) -ge 1' -fa '(__fish_complete_suffix .lua)'
        function __\(program)_functions
            set -l words (commandline -opc)
            $words[1] --\(RunCommand.namesOption) $words[2..-1] 2>/dev/null
        end
        complete -c '\(program)' -n 'contains -- \(FunctionCall.word) (commandline -opc)' -a '(__\(program)_functions)'

        """
    }
    return script
  }
}
