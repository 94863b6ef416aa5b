import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, isTestCode, sourceFiles } from './import-table.ts';

const root = join(import.meta.dirname, '..', '..');
const core = join(root, 'packages', 'core', 'src');

/** The layers from the top down. Each line of the list in ARCHITECTURE.md is one layer. */
function readLayers(): string[][] {
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const section = architecture.split('## Layers of packages/core')[1]?.split('\n## ')[0] ?? '';
  return Array.from(section.matchAll(/^- (.+)$/gm), ([, line]) => line!.split(', '));
}

/** The folder below `src`, or the file if it is in `src` itself. */
function partOf(file: string): string {
  return relative(core, file).split(sep)[0]!;
}

test('each part of packages/core imports other parts only from lower layers; parts of the lowest layer may import each other', () => {
  const layers = readLayers();
  const depthOf = (part: string) => layers.findIndex((layer) => layer.includes(part));
  const breaches: string[] = [];
  for (const file of sourceFiles(core).filter((one) => !isTestCode(one))) {
    const from = partOf(file);
    if (depthOf(from) === -1) breaches.push(`${from} is not in the list of ARCHITECTURE.md`);
    for (const { from: path } of importsOf(readFileSync(file, 'utf8'))) {
      if (!path.startsWith('.')) continue;
      const to = partOf(join(dirname(file), path));
      const isLowest = depthOf(from) === layers.length - 1;
      const isBelow = isLowest ? depthOf(to) === depthOf(from) : depthOf(to) > depthOf(from);
      if (to !== from && !isBelow)
        breaches.push(`${relative(core, file)} imports ${to}, which is not below it`);
    }
  }
  expect([...new Set(breaches)]).toEqual([]);
});
