import { randomUUID } from 'node:crypto';
import { onTestFinished, test } from 'vitest';
import type { Rows, SharedColumn, SharedTable } from '../faults/shared-table.ts';
import { proveTwoPeople, twoPeopleTimeout } from '../faults/two-people.ts';
import { describeOnWeaviate, rest } from './servers.ts';

const plain = (value: unknown) => (value === undefined || value === null ? 'NULL' : JSON.stringify(value));
const columns: (SharedColumn & { dataType?: string })[] = [
  { name: 'note', dataType: 'text', value: (serial) => `note ${serial}`, textOf: plain },
  {
    name: 'amount',
    dataType: 'int',
    value: (serial) => (serial % 5 === 0 ? null : serial),
    textOf: plain,
  },
  { name: 'price', dataType: 'number', value: (serial) => serial + 0.5, textOf: plain },
  { name: 'done', dataType: 'boolean', value: (serial) => serial % 2 === 0, textOf: plain },
  { name: 'tags', dataType: 'text[]', value: (serial) => [`tag ${serial}`, 'shared'], textOf: plain },
  {
    name: 'due',
    dataType: 'date',
    value: (serial) => new Date(Date.UTC(2026, 0, 1) + serial).toISOString(),
    textOf: (value) => (value ? String(Date.parse(String(value))) : 'NULL'),
  },
  {
    name: 'data',
    dataType: 'blob',
    value: (serial) => Uint8Array.of(serial >> 16, serial >> 8, serial),
    textOf: (value) => (value instanceof Uint8Array ? value.toBase64() : String(value ?? 'NULL')),
  },
  { name: 'vector', isFixed: true, value: (serial) => [serial, 1, 0.1], textOf: plain },
];

describeOnWeaviate('two people', ({ port }) => {
  test('change one collection: every change is stored or a conflict', twoPeopleTimeout, async () => {
    await proveTwoPeople(await sharedCollection(port), { isAtomic: false });
  });
});

async function sharedCollection(port: number): Promise<SharedTable> {
  const table = `Shared${randomUUID().slice(0, 8)}`;
  const properties = columns.flatMap(({ name, dataType }) =>
    dataType ? [{ name, dataType: [dataType] }] : [],
  );
  await rest(port, 'POST', '/schema', { class: table, vectorizer: 'none', properties });
  onTestFinished(async () => void (await rest(port, 'DELETE', `/schema/${table}`)));
  return {
    table,
    keyColumn: 'uuid',
    columns,
    connection: {
      driver: 'weaviate',
      fields: { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' },
    },
    newKey: () => randomUUID(),
    async readRaw(): Promise<Rows> {
      const path = `/objects?class=${table}&limit=1000&include=vector`;
      const { objects } = (await rest(port, 'GET', path)) as {
        objects: { id: string; properties: Record<string, unknown>; vector?: number[] }[];
      };
      return new Map(
        objects.map(({ id, properties: found, vector }) => {
          const cells: Record<string, unknown> = { ...found, vector };
          return [id, Object.fromEntries(columns.map(({ name, textOf }) => [name, textOf(cells[name])]))];
        }),
      );
    },
  };
}
