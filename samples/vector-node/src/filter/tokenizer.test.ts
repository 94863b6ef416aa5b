import { expect, test } from 'vitest';
import { likePattern } from './like-pattern.ts';
import { tokenize, tokenizePattern } from './tokenizer.ts';

// Cases from Weaviate's own tokenizer tests, and cases where Go and JavaScript differ.
test.each([
  ['word', ' Hello You*-beautiful_world?!', ['hello', 'you', 'beautiful', 'world']],
  ['lowercase', ' Hello You*-beautiful_world?!', ['hello', 'you*-beautiful_world?!']],
  ['whitespace', ' Hello You*-beautiful_world?!', ['Hello', 'You*-beautiful_world?!']],
  ['field', ' Hello You*-beautiful_world?! ', ['Hello You*-beautiful_world?!']],
  ['trigram', 'The quick', ['the', 'heq', 'equ', 'qui', 'uic', 'ick']],
  ['trigram', 'ab', []],
  ['word', 'ΣΑΣ', ['σασ']],
  ['whitespace', 'a\u0085b\ufeffc', ['a', 'b\ufeffc']],
  ['field', '  ', ['']],
])('the tokenization %s splits %j into %j', (tokenization, text, terms) => {
  expect(tokenize(text, tokenization)).toEqual(terms);
});

test('a pattern keeps its wildcards', () => {
  expect(tokenizePattern('*car-go? x', 'word')).toEqual(['*car', 'go?', 'x']);
  expect(tokenizePattern('*😂*', 'word')).toEqual(['*', '*']);
});

test('a wildcard matches any character except a line feed', () => {
  expect(likePattern('a*c').test('a\u2028\rc')).toBe(true);
  expect(likePattern('a*c').test('a\nc')).toBe(false);
  expect(likePattern('a?c').test('a😂c')).toBe(true);
  expect(likePattern('a.c').test('abc')).toBe(false);
});
