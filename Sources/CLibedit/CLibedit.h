// libedit's native interface (editline(3)), and typed wrappers for the parts of it that Swift can't
// call: el_wset, el_wget and history_w take variable arguments. Each wrapper is one such call.
#ifndef PRIMEREPL_CLIBEDIT_H
#define PRIMEREPL_CLIBEDIT_H

#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#ifdef __GLIBC__
// glibc declares it only for _XOPEN_SOURCE, which Swift doesn't define.
extern int wcwidth(wchar_t character);
#endif

// Gives the prompt, ended by a zero character; libedit reads it before the next call.
typedef wchar_t *(*edit_prompt_function)(EditLine *);

// An editing command: given the key that called it, it returns one of the CC_ codes.
typedef unsigned char (*edit_command_function)(EditLine *, wint_t);

// Stores one character and returns 1, or returns 0 at the end of input, or -1 to give up the line.
typedef int (*edit_read_function)(EditLine *, wchar_t *);

// EL_PROMPT_ESC: text between two escape characters is sent as it is and counted as no columns.
static inline int edit_set_prompt(EditLine *editor, edit_prompt_function prompt, wchar_t escape) {
  return el_wset(editor, EL_PROMPT_ESC, prompt, escape);
}

// EL_GETCFN: where the editor gets its characters from.
static inline int edit_set_read_function(EditLine *editor, edit_read_function function) {
  return el_wset(editor, EL_GETCFN, function);
}

// EL_CLIENTDATA: the owner's pointer, which the functions above find with edit_client_data.
static inline int edit_set_client_data(EditLine *editor, void *data) {
  return el_wset(editor, EL_CLIENTDATA, data);
}

static inline void *edit_client_data(EditLine *editor) {
  void *data = NULL;
  el_wget(editor, EL_CLIENTDATA, &data);
  return data;
}

// EL_EDITOR: the key map, "emacs" or "vi".
static inline int edit_set_key_map(EditLine *editor, const wchar_t *name) {
  return el_wset(editor, EL_EDITOR, name);
}

// EL_EDITOR: true if the key map is vi's.
static inline bool edit_key_map_is_vi(EditLine *editor) {
  const wchar_t *name = NULL;
  return el_wget(editor, EL_EDITOR, &name) == 0 && name != NULL && wcscmp(name, L"vi") == 0;
}

// EL_ADDFN: adds an editing command under a name that edit_bind and ~/.editrc can bind.
static inline int edit_add_command(EditLine *editor, const wchar_t *name, const wchar_t *help,
                                   edit_command_function function) {
  return el_wset(editor, EL_ADDFN, name, help, function);
}

// EL_BIND: binds a key to a command.
static inline int edit_bind(EditLine *editor, const wchar_t *key, const wchar_t *command) {
  return el_wset(editor, EL_BIND, key, command, NULL);
}

// EL_HIST: the history that the arrow keys and the search look through.
static inline int edit_set_history(EditLine *editor, HistoryW *history) {
  return el_wset(editor, EL_HIST, history_w, history);
}

// EL_PREP_TERM: the terminal's modes for editing (1), or as they were before (0).
static inline int edit_prepare_terminal(EditLine *editor, int on) {
  return el_wset(editor, EL_PREP_TERM, on);
}

// EL_REFRESH: draws prompt and line where the cursor is, taking nothing of them to be there yet.
static inline int edit_refresh(EditLine *editor) { return el_wset(editor, EL_REFRESH); }

// EL_GETTC: the editor's own idea of the terminal's width ("co") or height ("li"), 0 if unknown.
static inline int edit_terminal_number(EditLine *editor, const char *capability) {
  int number = 0;
  return el_get(editor, EL_GETTC, capability, &number) == 0 ? number : 0;
}

// H_SETSIZE: the most entries a history keeps.
static inline int edit_history_set_size(HistoryW *history, int size) {
  HistEventW event;
  return history_w(history, &event, H_SETSIZE, size);
}

// H_ENTER: adds an entry, which is copied.
static inline int edit_history_add(HistoryW *history, const wchar_t *entry) {
  HistEventW event;
  return history_w(history, &event, H_ENTER, entry);
}

// A locale whose characters are UTF-8, or (locale_t)0: for uselocale(3), which is per thread, so that
// libedit can draw any character while the process keeps the C locale that Lua's patterns rely on.
static inline locale_t edit_new_utf8_locale(void) {
  static const char *const names[] = {"C.UTF-8", "en_US.UTF-8", ""};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    locale_t locale = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
    if (locale == (locale_t)0) continue;
    if (strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0) return locale;
    freelocale(locale);
  }
  return (locale_t)0;
}

#endif
