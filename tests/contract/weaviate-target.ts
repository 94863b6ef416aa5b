import { randomUUID } from 'node:crypto';
import type { Cell, ColumnType, DriverLogEntry, Filter, Manifest, Session } from '@trestle/driver-kit';
import { type ContractTarget, compareCodePoints, type TableSpec } from '@trestle/driver-kit/testing';
import manifest from '../../drivers/weaviate/manifest.json' with { type: 'json' };
import { driver } from '../../drivers/weaviate/src/driver.ts';
import { relayedDial } from '../../packages/driver-host/src/testing/relayed-dial.ts';

/** Weaviate for the contract suite. `open` decides between the sample node and a real server. */
export function weaviateTarget(open: () => Promise<RunningWeaviate>): ContractTarget {
  return {
    manifest: manifest as unknown as Manifest,
    types: ['text', 'int', 'number', 'boolean', 'date', 'uuid', 'bytes'],
    bigIntegers: false,
    has: [
      'describeTables',
      'applyChanges',
      'importRows',
      'settleChanges',
      'previewChanges',
      'readCells',
      'describeStructure',
      'listPartitions',
      'activatePartition',
      'readReferences',
      'findReferences',
      'search',
      'showRequest',
      'exportRows',
      'sampleRows',
      'changeMark',
      'aggregate',
      'createTable',
      'convertStatement',
      'designForm',
      'readDesign',
      'planDesign',
      'nextStep',
      'editorSchema',
    ],
    interrupts: true,
    queries: {
      read: (table, rows) =>
        `{ Get { ${table}(limit: ${Math.max(rows, 10)}) { ordinal title _additional { id } } } }`,
      write: (table, { title, key }) =>
        `PATCH /objects/${table}/${key.uuid}\n${JSON.stringify({ class: table, properties: { title } })}`,
      destroy: (table) => `DELETE /schema/${table}`,
      invalid: '{ Get {',
    },
    matches: weaviateMatches,
    compareTexts: (a, b) => compareCodePoints(a.toLowerCase(), b.toLowerCase()),
    async open() {
      const server = await open();
      const suffix = randomUUID().slice(0, 8);
      const made: string[] = [];
      return {
        connect: () => connectWeaviate(server.port),
        async createTable(spec) {
          const name = `${spec.name}${suffix}`;
          made.push(name);
          await createCollection(server.port, { ...spec, name });
          return name;
        },
        async close() {
          for (const name of made) await weaviateRest(server.port, 'DELETE', `/schema/${name}`);
          await server.stop();
        },
      };
    },
  };
}

export interface RunningWeaviate {
  port: number;
  /** Does nothing for a server that tests share. */
  stop(): Promise<void>;
}

export const call = { signal: new AbortController().signal };

export function connectWeaviate(
  port: number,
  log: (entry: DriverLogEntry) => void = () => {},
): Promise<Session> {
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
  return driver.connect({ fields, log, dial: relayedDial(fields) }, call);
}

/** A request of the test itself, without the driver, to prepare data or to check it. */
export async function weaviateRest(
  port: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

async function createCollection(port: number, spec: TableSpec): Promise<void> {
  await weaviateRest(port, 'POST', '/schema', {
    class: spec.name,
    vectorizer: 'none',
    invertedIndexConfig: { indexNullState: true, indexPropertyLength: true },
    properties: spec.columns.map(({ name, type }) => ({
      name,
      dataType: [nativeTypes[type] ?? type],
      // With this tokenization, filters compare the whole text unchanged, as the contract expects.
      ...(type === 'text' && { tokenization: 'field' }),
    })),
  });
  for (let start = 0; start < spec.rows.length; start += 1000) {
    const objects = spec.rows.slice(start, start + 1000).map((row) => ({
      class: spec.name,
      id: randomUUID(),
      properties: Object.fromEntries(
        Object.entries(row).flatMap(([name, cell]) => (cell === null ? [] : [[name, toJson(cell)]])),
      ),
    }));
    const outcomes = (await weaviateRest(port, 'POST', '/batch/objects', { objects })) as {
      result: { status: string };
    }[];
    const failed = outcomes.find(({ result }) => result.status !== 'SUCCESS');
    if (failed) throw new Error(`An object was not stored: ${JSON.stringify(failed)}`);
  }
}

const nativeTypes: Partial<Record<ColumnType, string>> = { bytes: 'blob' };

function toJson(cell: Cell): unknown {
  return cell instanceof Uint8Array ? cell.toBase64() : cell;
}

/** The index of Weaviate treats empty text as NULL, and NULL as different from every value. */
function weaviateMatches(filter: Filter, cell: Cell): boolean | undefined {
  const isBlank = cell === null || cell === '';
  switch (filter.operator) {
    case 'is_null':
    case 'is_empty':
      return isBlank;
    case 'is_not_null':
    case 'is_not_empty':
      return !isBlank;
    case 'not_equals':
    case 'not_in_list':
    case 'not_contains':
      return cell === null ? true : undefined;
    default:
      return undefined;
  }
}
