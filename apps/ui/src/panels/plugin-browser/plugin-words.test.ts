import { expect, test } from 'vitest';
import { progressText, rightsOf, sizeText, sourceText } from './plugin-words.ts';

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

test('sizes and progress are shown in words', () => {
  expect([364_200, 999_000, 999_001, 2_345_678].map(sizeText)).toEqual([
    '365 kB',
    '999 kB',
    '1.0 MB',
    '2.3 MB',
  ]);
  const progress = { id: 'a', name: 'A', version: '1.0.0', received: 100_000, size: 365_000 };
  expect(progressText({ ...progress, step: 'download' })).toBe('Downloading 100 kB of 365 kB');
  expect(progressText({ ...progress, step: 'load' })).toBe('Trying the driver in its own process');
  expect(progressText({ ...progress, step: 'wait', waitsFor: ['Prod'] })).toBe(
    'Waits until “Prod” is closed',
  );
  expect(progressText({ ...progress, step: 'wait', waitsFor: ['Prod', 'Test'] })).toBe(
    'Waits until “Prod”, “Test” are closed',
  );
});

test('a driver with a damaged record of its origin is not described as one from a file', () => {
  const file = { bundled: false, publisher: null, integrity: 'sha512-x' };
  expect(sourceText(file)).toBe('From a file');
  expect(sourceText({ ...file, integrity: null })).toBe('Origin unknown');
  expect(sourceText({ ...file, publisher: 'Ann' })).toBe('From Ann');
  expect(sourceText({ bundled: true, publisher: null, integrity: null })).toBe('Ships with Trestle');
});
