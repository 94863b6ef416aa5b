import { expect, test } from 'vitest';
import { parse } from './parse.ts';

const read = (...args: string[]) => parse(args, 'Usage: trestle x', { sort: { type: 'string' } });

test('a value that begins with a dash is refused in one line, which names the form that is accepted', () => {
  expect(() => read('--sort', '-year')).toThrow(
    /^Option '--sort' argument is ambiguous\. Did you forget [^\n]*'--sort=-XYZ'\.$/,
  );
  expect(read('--sort=-year')?.values).toEqual({ sort: '-year' });
});

test('the message about an unknown option has one sentence', () => {
  expect(() => read('--nope')).toThrow(/^Unknown option '--nope'\.$/);
});
