import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smokeJourneys } from '../e2e/smoke-journeys.ts';

const folder = join(import.meta.dirname, '..', 'e2e');

test('each journey of `npm test` exists under its name', () => {
  for (const [file, names] of Object.entries(smokeJourneys)) {
    const source = readFileSync(join(folder, file), 'utf8');
    expect([file, names.filter((name) => !source.includes(name))]).toEqual([file, []]);
  }
});
