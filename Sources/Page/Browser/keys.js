import { find } from './elements.js';

export class Keys {
  constructor(view) {
    this.view = view;
    addEventListener('keydown', (event) => this.pressed(event));
  }

  pressed(event) {
    if (find('keys').open) return;
    const isTyping = event.target.matches('input:not([type=checkbox]):not([type=range]), select, textarea');
    const action = event.key === 'Escape' ? () => this.leave(isTyping && event.target)
      : event.ctrlKey || event.metaKey ? this.withControl(event, isTyping)
        : isTyping || event.altKey || event.repeat ? undefined : this.plain(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  }

  leave(element) {
    if (element) element.blur(); else if (this.view.isPast) this.view.lookAt(undefined);
  }

  withControl({ key, shiftKey }, isTyping) {
    if (key === 'p') return () => this.view.print();
    if (isTyping) return undefined;
    return { z: () => find(shiftKey ? 'redo' : 'undo').click(), Z: () => find('redo').click(), y: () => find('redo').click() }[key];
  }

  plain(key) {
    const tab = find('tabs').children[Number(key) - 1];
    const { feature } = this.view;
    return tab ? () => tab.click() : {
      '?': () => find('keys').showModal(),
      t: () => feature?.element.querySelector('td[tabindex="0"]')?.focus(),
      f: () => feature?.goToForm(),
      '/': () => find('search').focus(),
      h: () => find('moment').focus(),
      ':': () => find('code').focus(),
    }[key];
  }
}
