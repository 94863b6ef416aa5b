import { expect, test } from 'vitest';
import { shortcutText } from './kbd.tsx';

test.each([
  ['Mod+P', '⌘P', 'Ctrl+P'],
  ['Shift+Mod+Enter', '⇧⌘↵', 'Shift+Ctrl+↵'],
  ['+', '+', '+'],
])('%s as the platform writes it', (keys, mac, other) => {
  expect([shortcutText(keys, true), shortcutText(keys, false)]).toEqual([mac, other]);
});
