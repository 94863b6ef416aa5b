import { expect, test } from 'vitest';
import { keyCommand } from './key-command.ts';

function press(text: string) {
  const parts = text.split('+');
  return keyCommand({
    key: parts.at(-1) === 'Space' ? ' ' : (parts.at(-1) as string),
    code: '',
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Meta'),
    shiftKey: parts.includes('Shift'),
    altKey: parts.includes('Alt'),
  });
}

test.each([
  ['ArrowDown', { kind: 'move', motion: 'down', extend: false }],
  ['Shift+ArrowRight', { kind: 'move', motion: 'right', extend: true }],
  ['Ctrl+Shift+End', { kind: 'move', motion: 'last', extend: true }],
  ['Meta+ArrowUp', { kind: 'move', motion: 'top', extend: false }],
  ['Home', { kind: 'move', motion: 'rowStart', extend: false }],
  ['PageDown', { kind: 'move', motion: 'pageDown', extend: false }],
  ['Enter', { kind: 'edit' }],
  ['F2', { kind: 'edit' }],
  ['Shift+Enter', { kind: 'editLarge' }],
  ['x', { kind: 'replace' }],
  ['Shift+X', { kind: 'replace' }],
  ['🪐', { kind: 'replace' }],
  ['Ctrl+Alt+@', { kind: 'replace' }],
  ['Ctrl+Alt+€', { kind: 'replace' }],
  ['Alt+ArrowDown', { kind: 'menu' }],
  ['Process', { kind: 'replace' }],
  ['Backspace', { kind: 'replace' }],
  ['Ctrl+Backspace', { kind: 'setNull' }],
  ['Meta+e', { kind: 'findSimilar' }],
  ['Meta+Backspace', { kind: 'setNull' }],
  ['Delete', { kind: 'deleteRows' }],
  ['Ctrl+c', { kind: 'copy' }],
  ['Meta+a', { kind: 'selectAll' }],
  ['Space', { kind: 'activate' }],
  ['Shift+Space', { kind: 'selectRow' }],
  ['Ctrl+Space', { kind: 'selectColumn' }],
  ['Shift+F10', { kind: 'menu' }],
])('%s gives the command %j', (keys, command) => {
  expect(press(keys)).toEqual(command);
});

test.each([
  'Tab',
  'Escape',
  'Ctrl+s',
  'Ctrl+z',
  'Ctrl+Shift+c',
  'Alt+ArrowLeft',
  'Alt+ß',
  'Ctrl+Alt+t',
  'Ctrl+Alt+Space',
  'F5',
  'Shift',
])('%s is left to the page', (keys) => {
  expect(press(keys)).toBeNull();
});

test('with Ctrl, the command depends on the typed letter if it is Latin, and on the physical key if it is Cyrillic', () => {
  const modifiers = { ctrlKey: true, metaKey: false, shiftKey: false, altKey: false };
  expect(keyCommand({ key: 'с', code: 'KeyC', ...modifiers })).toEqual({ kind: 'copy' });
  expect(keyCommand({ key: 'q', code: 'KeyA', ...modifiers })).toBeNull();
});
