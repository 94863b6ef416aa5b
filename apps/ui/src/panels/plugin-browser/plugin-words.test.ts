import { expect, test } from 'vitest';
import { rightsOf, sourceText } from './plugin-words.ts';

test('the rights of a driver are described in words', () => {
  expect(
    rightsOf({ process: { network: { host: 'host', port: 'port' }, sqlite: false }, fields: [] }),
  ).toEqual([
    'Connects to the host and port of its connection, and nowhere else',
    'Reads no files of yours',
    'Runs in its own process',
  ]);
  const file = { id: 'file', label: 'File', type: 'file' as const, deliver: 'text' as const };
  expect(rightsOf({ process: { network: false, sqlite: false }, fields: [file] })).toEqual([
    'Has no network',
    'Gets the files that you choose',
    'Runs in its own process',
  ]);
});

test('a driver with a damaged record of its origin is not described as one from a file', () => {
  const file = { bundled: false, publisher: null, integrity: 'sha512-x' };
  expect(sourceText(file)).toBe('From a file');
  expect(sourceText({ ...file, integrity: null })).toBe('Origin unknown');
  expect(sourceText({ ...file, publisher: 'Ann' })).toBe('From Ann');
  expect(sourceText({ bundled: true, publisher: null, integrity: null })).toBe('Ships with Trestle');
});
