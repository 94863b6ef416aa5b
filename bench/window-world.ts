import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startVectorNode } from '../samples/vector-node/src/index.ts';
import { ask } from './trestle.ts';

export const rowCount = 1000;
/** The columns include the uuid and the vector. */
export const columnCount = 30;
export const tabCount = Number(process.env.TRESTLE_BENCH_TABS ?? 50);
const dimensions = 384;

/** The page is sorted by this column, which is next to the vector, so that both columns are in view. */
export const ordinal = 'ordinal';

const kinds = [
  { dataType: 'text', value: (row: number) => `Some words about row ${row} of many` },
  { dataType: 'int', value: (row: number) => row * 7919 },
  { dataType: 'number', value: (row: number) => row / 7 },
  { dataType: 'text[]', value: (row: number) => ['first', `entry ${row}`] },
  { dataType: 'date', value: (row: number) => new Date(row * 8.64e7).toISOString() },
  { dataType: 'boolean', value: (row: number) => row % 3 === 0 },
] as const;

const properties = [
  ...Array.from({ length: columnCount - 3 }, (_, at) => ({
    name: `property${at}`,
    ...kinds[at % kinds.length]!,
  })),
  { name: ordinal, dataType: 'int', value: (row: number) => row },
];

/**
 * Makes two connections. `Wide` is a sample node with one wide collection. `Tabs` is a SQLite file with one table per
 * tab, because a sample node with as many collections would take long to fill.
 */
export async function makeWorld(home: string): Promise<{ stop(): Promise<unknown> }> {
  const node = await startVectorNode({ seed: false });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${node.url}/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  await post('/schema', {
    class: 'Wide',
    vectorizer: 'none',
    properties: properties.map(({ name, dataType }) => ({ name, dataType: [dataType] })),
  });
  for (let first = 0; first < rowCount; first += 250) {
    const objects = Array.from({ length: 250 }, (_, at) => ({
      class: 'Wide',
      properties: Object.fromEntries(properties.map(({ name, value }) => [name, value(first + at)])),
      vector: Array.from({ length: dimensions }, () => Math.fround(Math.random() - 0.5)),
    }));
    await post('/batch/objects', { objects });
  }
  const file = join(home, 'tabs.db');
  makeTabs(file);
  const list = join(home, 'world.json');
  const fields = { host: '127.0.0.1', port: node.port, authMethod: 'none', sslMode: 'disabled' };
  const connections = [
    { name: 'Wide', driver: 'weaviate', fields },
    { name: 'Tabs', driver: 'sqlite', fields: { file } },
  ];
  writeFileSync(list, JSON.stringify({ connections }));
  await ask(home, 'connections', 'import', list);
  return node;
}

function makeTabs(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('BEGIN');
  for (let tab = 0; tab < tabCount; tab++) {
    database.exec(`
      CREATE TABLE t${tab} (id INTEGER PRIMARY KEY, words TEXT);
      INSERT INTO t${tab} WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
        SELECT n, 'words of row ' || n FROM c;`);
  }
  database.exec('COMMIT');
  database.close();
}
