import { expect, test } from 'vitest';
import { shortcutText } from './kbd.tsx';

test.each([
  ['Mod+P', '⌘P', 'Ctrl+P'],
  ['Shift+Mod+Enter', '⇧⌘↵', 'Shift+Ctrl+↵'],
  ['Ctrl+Space', '⌃Space', 'Ctrl+Space'],
  ['+', '+', '+'],
])('%s is written %s on a Mac and %s elsewhere', (keys, mac, other) => {
  expect([shortcutText(keys, true), shortcutText(keys, false)]).toEqual([mac, other]);
});
