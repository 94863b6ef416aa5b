import { expect, test } from 'vitest';
import { isVersion } from '../plugins/read-manifest.ts';
import { compareVersions } from './compare-versions.ts';

test('versions sort by number, a pre-release before its release, and build metadata does not count', () => {
  const inOrder = [
    '0.9.0',
    '0.10.0',
    '1.0.0-alpha.2',
    '1.0.0-alpha.10',
    '1.0.0-beta',
    '1.0.0',
    '1.0.1',
    '10.0.0',
  ];
  expect(inOrder.toReversed().sort(compareVersions)).toEqual(inOrder);
  expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
});

test.each(['1.0', '1.0.0/..', '1.0.0-..', '1.0.0 ', '../1.0.0', `1.0.0-${'a'.repeat(100)}`, '1.0.0-a\n'])(
  '%j is not a version, so it cannot name a folder',
  (text) => {
    expect(isVersion(text)).toBe(false);
  },
);
