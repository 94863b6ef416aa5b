import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { typesCharacter } from './types-character.ts';

class Element {
  readonly isContentEditable = false;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  matches(selector: string): boolean {
    return selector.split(', ').includes(this.name);
  }
}

const focus = (name: string) => vi.stubGlobal('document', { activeElement: new Element(name) });
const option = (key: string) => ({ key, ctrlKey: false, metaKey: false, altKey: true });

beforeEach(() => {
  vi.stubGlobal('HTMLElement', Element);
  focus('input');
});
afterEach(() => vi.unstubAllGlobals());

test('in a text field of a Mac, Option with a key types a character', () => {
  expect(typesCharacter(option('ś'), true)).toBe(true);
  expect(typesCharacter(option('['), true)).toBe(true);
  expect(typesCharacter(option('Dead'), true)).toBe(true);
});

test('a key that types no character, a key without Option and a key with Cmd give false', () => {
  expect(typesCharacter(option('PageDown'), true)).toBe(false);
  expect(typesCharacter({ ...option('ß'), metaKey: true }, true)).toBe(false);
  expect(typesCharacter({ ...option('s'), altKey: false }, true)).toBe(false);
});

test('outside of text fields, and on systems other than a Mac, Alt with a letter gives false', () => {
  expect(typesCharacter(option('s'), false)).toBe(false);
  focus('button');
  expect(typesCharacter(option('ß'), true)).toBe(false);
});
