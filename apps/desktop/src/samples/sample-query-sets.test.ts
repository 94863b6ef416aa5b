import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleJudgements, sampleQuerySets } from './sample-query-sets.ts';

const data = join(import.meta.dirname, '..', '..', '..', '..', 'samples', 'vector-node', 'data');
const rowsOf = (file: string, name: string) =>
  new Map<string, string>(
    (
      JSON.parse(readFileSync(join(data, file), 'utf8')) as {
        id: string;
        properties: Record<string, string>;
      }[]
    ).map(({ id, properties }) => [id, properties[name]!]),
  );
const rows = { Mission: rowsOf('missions.json', 'name'), Species: rowsOf('species.json', 'commonName') };

test('each judged row is in the sample data, with the name that the judgement gives', () => {
  for (const { table, queries } of sampleJudgements) {
    for (const [, right] of queries) {
      for (const [name, id] of Object.entries(right)) expect(rows[table as 'Mission'].get(id)).toBe(name);
    }
  }
});

test('two collections have at least twelve queries together, and no query twice', () => {
  const texts = sampleQuerySets('c').flatMap(({ queries }) => queries.map(({ text }) => text));
  expect(new Set(texts).size).toBe(texts.length);
  expect(sampleQuerySets('c').map(({ table }) => table)).toEqual(['Mission', 'Species']);
  expect(texts.length).toBeGreaterThanOrEqual(12);
});
