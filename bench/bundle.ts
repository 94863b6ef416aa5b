import { join } from 'node:path';
import { loadedAtStart } from '../tests/boundaries/loaded-at-start.ts';
import { goals } from './goals.ts';
import type { Benchmark } from './measure.ts';
import { dist } from './trestle.ts';

/** The size of the scripts and styles that the window loads at the start: compressed, compared with not compressed. */
export const bundle: Benchmark = {
  name: 'bundle',
  async run() {
    const files = loadedAtStart(join(dist, 'ui'));
    const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0) / 1000;
    return [
      {
        name: 'scripts and styles at the start, gzip',
        unit: 'kB',
        subject: [sum(files.map(({ gzipped }) => gzipped))],
        baseline: [sum(files.map(({ text }) => Buffer.byteLength(text)))],
        against: 'the same, not compressed',
        goal: goals.startBundle,
      },
    ];
  },
};
