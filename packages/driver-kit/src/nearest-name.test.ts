import { expect, test } from 'vitest';
import { nearestName, suggestName } from './nearest-name.ts';

const names = ['commonName', 'scientificName', 'habitat', 'group', 'id'];

test.each<[string, string | undefined]>([
  ['CommonName', 'commonName'],
  ['comonname', 'commonName'],
  ['habitats', 'habitat'],
  ['gruop', 'group'],
  ['ID', 'id'],
  ['weight', undefined],
  ['', undefined],
  ['x'.repeat(100_000), undefined],
])('the name nearest to %j is %j', (wanted, expected) => {
  expect(nearestName(wanted, names)).toBe(expected);
});

test('if no name is close, the first names are listed', () => {
  expect(suggestName('weight', names)).toBe('There are: commonName, scientificName, habitat, group, id.');
  const many = Array.from({ length: 100 }, (_, index) => `column_${index}`);
  expect(suggestName('zzz', many)).toMatch(/^There are: column_0, .*, column_29 and 70 more\.$/);
  expect(suggestName('x', [])).toBe('There are none.');
});
