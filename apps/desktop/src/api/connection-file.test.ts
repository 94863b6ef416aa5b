import { expect, test } from 'vitest';
import { readConnectionFile } from './connection-file.ts';

test('a file with a byte order mark is read', () => {
  expect(readConnectionFile('\u{feff}{"connections":[]}', 'a.json')).toEqual({ connections: [] });
});
