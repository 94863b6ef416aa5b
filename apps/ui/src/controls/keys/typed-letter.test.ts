import { expect, test } from 'vitest';
import { typedLetter } from './typed-letter.ts';

test('on a Latin layout the typed character counts', () => {
  expect(typedLetter({ key: 'z', code: 'KeyZ' })).toBe('z');
  expect(typedLetter({ key: 'Z', code: 'KeyW' })).toBe('z');
  expect(typedLetter({ key: ',', code: 'KeyM' })).toBe(',');
  expect(typedLetter({ key: ';', code: 'Comma' })).toBe(';');
  expect(typedLetter({ key: 'é', code: 'KeyW' })).toBe('é');
});

test('on a layout of a non-Latin script the physical key counts', () => {
  expect(typedLetter({ key: 'ц', code: 'KeyW' })).toBe('w');
  expect(typedLetter({ key: 'ζ', code: 'KeyZ' })).toBe('z');
  expect(typedLetter({ key: 'б', code: 'Comma' })).toBe(',');
});

test('a key without a letter keeps its name', () => {
  expect(typedLetter({ key: 'Enter', code: 'Enter' })).toBe('Enter');
  expect(typedLetter({ key: 'Backspace', code: 'Backspace' })).toBe('Backspace');
});
