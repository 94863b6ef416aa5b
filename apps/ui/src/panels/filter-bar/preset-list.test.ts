import { expect, test } from 'vitest';
import { deletePreset, type FilterPreset, presetsIn, renamePreset, savePreset } from './preset-list.ts';

const preset = (name: string, match: 'all' | 'any' = 'all'): FilterPreset => ({ name, entries: [], match });

test('a preset can be saved, replaced by one of the same name, renamed and deleted', () => {
  const two = savePreset(preset('b'))(savePreset(preset('a'))([]));
  expect(two.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(savePreset(preset('a', 'any'))(two)).toEqual([preset('a', 'any'), preset('b')]);
  expect(renamePreset('a', 'c')(two)).toEqual([preset('c'), preset('b')]);
  expect(renamePreset('a', 'b')(two)).toEqual(two);
  expect(deletePreset('a')(two)).toEqual([preset('b')]);
});

test('a stored value that is no preset is ignored', () => {
  expect(presetsIn(null)).toEqual([]);
  expect(presetsIn({ presets: [{ name: 1 }, preset('a')] })).toEqual([preset('a')]);
});
