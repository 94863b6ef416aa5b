import type { Core, DataAccess } from '@trestle/core';
import { type BrowseRequest, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { findObject } from './near-object.ts';

/** Finds an object by its name. The fake database ignores the filter. */
function find(names: string[], value = 'guitar') {
  const heads = ['uuid', 'name'].map((name) => ({ name, type: 'text' as const, nativeType: '' }));
  const cells = names.map((name, n) => [`u${n}`, name]);
  const core = {
    data: {
      describe: async () => ({ name: 't', key: ['uuid'], columns: [], searches: {} }),
      browse: async (_: DataAccess, { limit }: BrowseRequest) => ({
        rows: rowSetFromCells(heads, cells.slice(0, limit)),
      }),
    },
  } as unknown as Core;
  return findObject(core, {} as DataAccess, { table: 't', object_id: value, object_column: 'name' });
}

const alike = (count: number) => Array.from({ length: count }, (_, n) => `guitar ${n}`);

test('the object with the exact value is found behind many that match by words', async () => {
  expect(await find([...alike(50), 'guitar'])).toBe('u50');
  expect(await find(['an electric guitar'])).toBe('u0');
});

test('if two objects have the exact value, neither is chosen, even if only one of them was read', async () => {
  await expect(find(['guitar', ...alike(50), 'guitar'])).rejects.toMatchObject({
    said: { quoted: 'u0 (guitar), u51 (guitar)' },
  });
  await expect(find([...alike(999), 'guitar', 'guitar'])).rejects.toMatchObject({
    said: { quoted: expect.stringMatching(/^u999 \(guitar\), u0 \(guitar 0\), .* and others$/) },
  });
});

test('of many objects that match by words, the message names five', async () => {
  await expect(find(alike(5))).rejects.toMatchObject({
    said: { quoted: expect.stringMatching(/u4 \(guitar 4\)$/) },
  });
  await expect(find(alike(6))).rejects.toMatchObject({
    said: { quoted: expect.stringMatching(/u4 \(guitar 4\) and others$/) },
  });
});

test('in a table without searches no object is looked for', async () => {
  const core = { data: { describe: async () => ({ name: 'v', key: [], columns: [] }) } } as unknown as Core;
  const named = { table: 'v', object_id: 'guitar', object_column: 'name' };
  expect(await findObject(core, {} as DataAccess, named)).toBe('guitar');
});
