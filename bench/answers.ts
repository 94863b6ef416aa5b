import { randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { checkAnswer } from '@trestle/driver-kit/answers';
import { messageCost } from '../packages/driver-host/src/message-cost.ts';
import { goals } from './goals.ts';
import { type Benchmark, inTurns } from './measure.ts';

const repeats = 40;

/**
 * What the app does with the answer of a driver: it measures the message, unpacks it and checks the answer. Compared
 * with unpacking alone. Neither includes the work of the driver and the database.
 */
export const answers: Benchmark = {
  name: 'answers',
  async run() {
    const figures = [];
    for (const [name, method, request, answer] of cases()) {
      const bytes = serialize({ type: 'reply', id: 1, value: answer });
      const read = () => (deserialize(bytes) as { value: unknown }).value;
      const check = () => {
        messageCost(bytes);
        checkAnswer(method, [request], read());
      };
      const taken = await inTurns(
        { rounds: 15, warmUp: 3 },
        { checked: () => worked(check), unpacked: () => worked(read) },
      );
      figures.push({
        name,
        unit: 'ms' as const,
        subject: taken.checked,
        baseline: taken.unpacked,
        against: 'unpacked and not checked',
        goal: goals.answers,
      });
    }
    return figures;
  },
};

type Case = [
  name: string,
  method: 'browse' | 'readCells' | 'describeTable',
  request: unknown,
  answer: unknown,
];

function cases(): Case[] {
  const ids = Array.from({ length: 1000 }, () => randomUUID());
  const names = Array.from({ length: 10 }, (_, index) => `column_${index}`);
  const texts = (column: number) => ids.map((_, row) => `the text of row ${row} in column ${column}`);
  const uuid = { head: { name: 'uuid', type: 'uuid', nativeType: 'uuid' }, values: cells(ids) };
  const vector = {
    head: { name: 'vector', type: 'vector', nativeType: 'float32[384]' },
    values: {
      kind: 'vectors',
      dimensions: 384,
      floats: Float32Array.from({ length: 1000 * 384 }, Math.random),
      present: new Uint8Array(1000).fill(1),
    },
  };
  const page = names.map((name, column) => ({
    head: { name, type: 'text', nativeType: 'TEXT' },
    values: cells(texts(column)),
  }));
  const keys = ids.map((id) => ({ uuid: id }));
  const upper = ids.map((id) => ({ uuid: id.toUpperCase() }));
  return [
    ['a page of 1,000 rows of 10 texts', 'browse', { limit: 1000 }, { rows: rowSet([uuid, ...page]) }],
    ['1,000 vectors by their keys', 'readCells', { keys, columns: ['vector'] }, rowSet([uuid, vector])],
    [
      '1,000 rows by keys in another spelling',
      'readCells',
      { keys: upper, columns: ['column_0'] },
      rowSet([uuid, page[0]!]),
    ],
    ['a table of 100 columns', 'describeTable', 'wide', wideTable()],
  ];
}

function cells(values: unknown[]) {
  return { kind: 'cells', cells: values };
}

function rowSet(columns: { head: unknown; values: unknown }[]) {
  return {
    rowCount: 1000,
    columns: columns.map(({ head }) => head),
    values: columns.map(({ values }) => values),
  };
}

function wideTable() {
  const names = Array.from({ length: 100 }, (_, index) => `column_${index}`);
  const operators = ['equals', 'not_equals', 'contains', 'is_null'].map((operator) => ({ operator }));
  return {
    name: 'wide',
    kind: 'table',
    columns: names.map((name) => ({
      ...{ name, type: 'text', nativeType: 'TEXT', nullable: true, inKey: name === 'column_0', operators },
    })),
    key: ['column_0'],
    indexes: names.map((name) => ({ name: `by_${name}`, columns: [name], unique: false })),
    foreignKeys: [],
    exampleQuery: 'SELECT * FROM wide',
    notes: [],
  };
}

/** Milliseconds of this process's CPU time for one answer. */
function worked(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let repeat = 0; repeat < repeats; repeat++) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / repeats;
}
