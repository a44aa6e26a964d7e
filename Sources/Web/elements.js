// What the page of an app and the report of scenarios share. Texts are never taken for HTML.

// Invisible characters are shown as in a string of Lua, except in the three flags that are made of tags. Line ends and
// tabs of texts with several lines stay. Joiners and variation selectors stay, too, and format characters that are seen.
const flag = /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/u;
const seen = /[\t\n\u034F\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u1160\u180B-\u180D\u180F\u200C\u200D\uFE00-\uFE0F\u{110BD}\u{110CD}\u{13430}-\u{1343F}\u{E0100}-\u{E01EF}]/u;
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;
const invisible = new RegExp(`${flag.source}|(?!${seen.source})${hidden.source}`, 'gu');

/** A text in which invisible characters are shown. */
export const visible = (text) => text.replace(invisible, (match) => {
  if (flag.test(match)) return match;
  const code = match.codePointAt(0);
  const digits = code.toString(16);
  return code < 0x80 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`;
});

/**
 * Makes an element: `make('p.facts', 'text', another)`, or `make('button', { type: 'button', onclick: send }, 'Send')`.
 * Properties that begin with "on" are listeners; those that are true or false are there or not. Missing content is left out.
 */
export function make(description, ...content) {
  const [name, ...classes] = description.split('.');
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(' ');
  const hasProperties = content[0]?.constructor === Object;
  for (const [key, value] of Object.entries(hasProperties ? content[0] : {})) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (typeof value === 'boolean') made.toggleAttribute(key, value);
    else if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...content.slice(hasProperties ? 1 : 0).filter((part) => part !== null && part !== undefined)
    .map((part) => (typeof part === 'string' ? visible(part) : part)));
  return made;
}

export const number = (count) => count.toLocaleString('en');
export const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A change of a part of the state: its path, and its value before and after, which is null for none. */
export function change({ path, old, new: after }) {
  const value = (kind, text) => (text === null ? make(`span.${kind}.none`, 'nil') : make(`span.${kind}`, text));
  return make('div.change', make('span.path', path), value('old', old),
    make('span.arrow', { role: 'img', 'aria-label': 'becomes' }, '→'), value('new', after));
}

/** A button that copies a text, which the element before it shows. */
export function copyButton(text, label = 'Copy') {
  const button = make('button.copy', { type: 'button' }, label);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      // The browser allows no copies from this page: the text is selected, for a copy by the keyboard.
      getSelection().selectAllChildren(button.previousElementSibling);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = label; }, 2000);
  });
  return button;
}

export const find = (id) => document.getElementById(id);

/** Gives an element some children: those that it has already, in this order, stay where they are, with their focus. */
export function arrange(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}
