import { join } from 'node:path';
import { expect, test } from 'vitest';
import { circlesIn } from './import-circles.ts';
import { layerBreaches, partImports, readLayers } from './layers.ts';

const root = join(import.meta.dirname, '..', '..');

test('each part of packages/core imports other parts only from lower layers; parts of the lowest layer may import each other', () => {
  const layers = readLayers(root, 'packages/core');
  const imports = partImports(join(root, 'packages', 'core', 'src'), 1);
  const isLowest = (depth: number) => depth === layers.length - 1;
  expect(layerBreaches(imports, layers, (from, to) => to > from || (isLowest(from) && isLowest(to)))).toEqual(
    [],
  );
});

test('each part of the window imports only from its own layer and the lower ones', () => {
  const imports = partImports(join(root, 'apps', 'ui', 'src'), 1);
  expect(layerBreaches(imports, readLayers(root, 'apps/ui/src'), (from, to) => to >= from)).toEqual([]);
});

test('no folders of the window import each other in a circle', () => {
  const imports = partImports(join(root, 'apps', 'ui', 'src'), 2);
  const targets = Map.groupBy(imports, ({ from }) => from);
  const folders = new Set(imports.flatMap(({ from, to }) => [from, to]));
  expect(circlesIn(folders, (folder) => targets.get(folder)?.map(({ to }) => to) ?? [])).toEqual([]);
});

test('an import of a higher layer and an unknown part are found', () => {
  const imports = [
    { file: 'data/a.ts', from: 'data', to: 'panels' },
    { file: 'panels/b.ts', from: 'panels', to: 'data' },
    { file: 'panels/c.ts', from: 'panels', to: 'other' },
  ];
  expect(layerBreaches(imports, [['panels'], ['data']], (from, to) => to > from)).toEqual([
    'other is not in the list of ARCHITECTURE.md',
    'data/a.ts imports panels, which is not below it',
    'panels/c.ts imports other, which is not below it',
  ]);
});
