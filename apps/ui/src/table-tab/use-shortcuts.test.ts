import { expect, test } from 'vitest';
import { shortcutOf } from './use-shortcuts.ts';

const press = (key: string, keys: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>>) =>
  shortcutOf({
    key,
    code: `Key${key.toUpperCase()}`,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...keys,
  });

test('both Ctrl and the command key work', () => {
  expect(press('f', { ctrlKey: true })).toBe('find');
  expect(press('F', { ctrlKey: true, shiftKey: true })).toBe('filter');
  expect(press('r', { metaKey: true })).toBe('reload');
  expect(press('s', { ctrlKey: true })).toBe('save');
});

test('the search box, the row inspector and the structure have keys', () => {
  expect(press('k', { metaKey: true })).toBe('search');
  expect(press('i', { altKey: true })).toBe('inspector');
  expect(press('s', { altKey: true })).toBe('structure');
});

test('undo and redo have keys', () => {
  expect(press('z', { metaKey: true })).toBe('undo');
  expect(press('Z', { metaKey: true, shiftKey: true })).toBe('redo');
  expect(press('y', { ctrlKey: true })).toBe('redo');
});

test('other keys are left to the page', () => {
  expect(press('f', {})).toBeNull();
  expect(press('R', { ctrlKey: true, shiftKey: true })).toBeNull();
  expect(press('s', { ctrlKey: true, altKey: true })).toBeNull();
  expect(press('c', { ctrlKey: true })).toBeNull();
  expect(press('v', { ctrlKey: true })).toBeNull();
});

test('with Ctrl, the typed letter counts, and on a Cyrillic layout the physical key', () => {
  const modifiers = { ctrlKey: true, metaKey: false, shiftKey: false, altKey: false };
  expect(shortcutOf({ key: 'z', code: 'KeyW', ...modifiers })).toBe('undo');
  expect(shortcutOf({ key: 'я', code: 'KeyZ', ...modifiers })).toBe('undo');
  expect(shortcutOf({ key: 'ы', code: 'KeyS', ...modifiers })).toBe('save');
});
