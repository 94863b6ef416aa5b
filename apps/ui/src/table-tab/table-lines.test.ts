import { rowId } from '@trestle/core/staged-edits';
import type { TableDescription } from '@trestle/driver-kit';
import { describe, expect, test } from 'vitest';
import { plainLayout } from './column-layout.ts';
import type { SavedRow } from './saved-rows.ts';
import { elsewhere, gridColumns, pageLines, pinnedByDefault, stagedLines } from './table-lines.ts';

const one = { id: 1 };
const two = { id: 2 };
const nine = { id: 9 };

test('new rows come first, edits are on their rows, and unchanged rows stay the same objects', () => {
  const page = pageLines([one, two, null], undefined);
  const staged = {
    inserted: new Map([['new-1', { name: 'Vulcan' }]]),
    updated: new Map([[rowId(one), { key: one, values: { name: 'Terra' } }]]),
    deleted: new Map(),
    seen: { updated: new Map(), deleted: new Map() },
    sentAs: new Map(),
    invalid: new Map(),
  };
  const failures = { [rowId(one)]: { message: 'UNIQUE constraint failed', hint: 'Choose another' } };
  const lines = stagedLines(page, { staged, failures, unknown: [], saved: new Map(), askedAt: 0 });
  expect(lines).toEqual([
    { id: 'new-1', key: null, state: 'inserted', edited: { name: 'Vulcan' } },
    {
      at: 0,
      id: rowId(one),
      key: one,
      edited: { name: 'Terra' },
      message: 'UNIQUE constraint failed · Choose another',
    },
    { at: 1, id: rowId(two), key: two },
    { at: 2, id: null, key: null, readOnly: 'This row has no key, so it cannot be changed' },
  ]);
  expect(lines[2]).toBe(page[1]);
});

test('a saved row keeps its value and position until a page is read that was requested after the save', () => {
  const staged = {
    inserted: new Map([['new-2', { name: 'Pluto' }]]),
    updated: new Map([[rowId(nine), { key: nine, values: { name: 'Vulcan II' } }]]),
    deleted: new Map(),
    seen: { updated: new Map(), deleted: new Map() },
    sentAs: new Map(),
    invalid: new Map([['new-2', { mass: 'Expected a number' }]]),
  };
  const at = -10_000;
  const saved = new Map<string, SavedRow>([
    [rowId(nine), { row: 'new-1', key: nine, kind: 'insert', values: { name: 'Vulcan' }, at }],
    [rowId(one), { row: rowId(one), key: one, kind: 'update', values: { name: 'Terra' }, at }],
    [rowId(two), { row: rowId(two), key: two, kind: 'delete', values: {}, at }],
  ]);
  const show = (keys: { id: number }[], askedAt: number) =>
    stagedLines(pageLines(keys, undefined), {
      staged,
      failures: { 'new-2': { message: 'Sent, but the answer never came', hint: 'Look.' } },
      unknown: ['new-2'],
      saved,
      askedAt,
    });
  const isNew = { id: rowId(nine), key: nine, formerId: 'new-1', edited: { name: 'Vulcan II' } };
  const doubtful = {
    id: 'new-2',
    key: null,
    state: 'inserted',
    edited: { name: 'Pluto' },
    invalid: { mass: 'Expected a number' },
    doubt: true,
    message: 'May have been stored. Sent, but the answer never came',
  };
  expect(show([one, two], at - 1)).toEqual([
    { ...isNew, saved: { id: 9, name: 'Vulcan' } },
    doubtful,
    { at: 0, id: rowId(one), key: one, saved: { name: 'Terra' } },
    { at: 1, id: rowId(two), key: two, saved: {}, state: 'gone', readOnly: 'This row was deleted' },
  ]);
  expect(show([one, nine], at + 1)).toEqual([
    doubtful,
    { at: 0, id: rowId(one), key: one },
    { ...isNew, at: 1 },
  ]);
});

test('the message about a cell that does not fit names the column once', () => {
  const messageOf = (column: string, problem: string) => {
    const staged = {
      inserted: new Map([['new-1', {}]]),
      updated: new Map(),
      deleted: new Map(),
      seen: { updated: new Map(), deleted: new Map() },
      sentAs: new Map(),
      invalid: new Map([['new-1', { [column]: problem }]]),
    };
    return stagedLines([], { staged, failures: {}, unknown: [], saved: new Map(), askedAt: 0 })[0]?.message;
  };
  expect(messageOf('number', 'Expected a number')).toBe('Does not fit. number: Expected a number');
  expect(messageOf('mass', 'mass does not take NULL')).toBe('Does not fit. mass does not take NULL');
});

test('staged rows of other pages are counted', () => {
  const page = pageLines([one, two], undefined);
  const updated = new Map([
    [rowId(one), { key: one, values: { a: 1 } }],
    [rowId(nine), { key: nine, values: { a: 1 } }],
  ]);
  expect(
    elsewhere(page, {
      inserted: new Map(),
      updated,
      deleted: new Map([[rowId(nine), nine]]),
      seen: { updated: new Map(), deleted: new Map() },
      sentAs: new Map(),
      invalid: new Map(),
    }),
  ).toBe(1);
});

describe('columns of the grid', () => {
  const column = { type: 'int', nativeType: 'INTEGER', nullable: false, operators: [] } as const;
  const description = {
    name: 't',
    kind: 'table',
    key: ['id'],
    columns: [
      { ...column, name: 'rowid', inKey: false, hidden: true, operators: [] },
      { ...column, name: 'id', inKey: true, operators: [] },
      { ...column, name: 'n', inKey: false, operators: [] },
    ],
    indexes: [],
    foreignKeys: [],
    exampleQuery: '',
    notes: [],
  } satisfies TableDescription;

  test('the first column is pinned if it is the whole key; hidden columns are left out', () => {
    const columns = gridColumns(description, {
      sort: [{ column: 'n', order: 'desc' }],
      layout: { ...plainLayout, widths: { n: 90 } },
    });
    expect(columns.map(({ name, pinned, sort, width }) => ({ name, pinned, sort, width }))).toEqual([
      { name: 'id', pinned: true, sort: undefined, width: undefined },
      { name: 'n', pinned: false, sort: 'desc', width: 90 },
    ]);
  });

  test('beside a uuid, the title of the rows is pinned too', () => {
    const of = (name: string, type: 'uuid' | 'int' | 'text', inKey = false) =>
      ({ name, type, nativeType: type, inKey, operators: [] }) as unknown as TableDescription['columns'][0];
    const pinned = (first: TableDescription['columns'][0]) =>
      pinnedByDefault({ columns: [first, of('text', 'text'), of('name', 'text')], key: [first.name] });
    expect(pinned(of('uuid', 'uuid', true))).toEqual(['uuid', 'name']);
    expect(pinned(of('id', 'int', true))).toEqual(['id']);
    expect(pinned(of('note', 'text'))).toEqual([]);
    expect(pinnedByDefault({ columns: [of('uuid', 'uuid', true)], key: ['uuid'] })).toEqual(['uuid']);
  });

  test('columns that a search adds cannot be moved, and no column of a search can be sorted', () => {
    const head = (name: string) => ({ name, type: 'number', nativeType: name }) as const;
    const found = [head('id'), head('distance'), head('n')];
    const columns = gridColumns(
      description,
      { sort: [], layout: { ...plainLayout, widths: { distance: 70 } } },
      found,
    );
    expect(columns.map(({ name, width }) => ({ name, width }))).toEqual([
      { name: 'id', width: undefined },
      { name: 'distance', width: 70 },
      { name: 'n', width: undefined },
    ]);
    expect(columns.every(({ unsortable }) => unsortable !== undefined)).toBe(true);
    expect(columns.map(({ isFixed }) => isFixed)).toEqual([undefined, true, undefined]);
    expect(columns[1]?.readOnly).toBe('Comes from the search');
  });
});

test('a column named like a member of Object.prototype has no width until the user sets one', () => {
  const column = { name: 'constructor', type: 'text', nativeType: 'text', nullable: true, inKey: false };
  const description = { columns: [{ ...column, operators: [] }], key: [] } as unknown as TableDescription;
  const found = [{ name: 'toString', type: 'text', nativeType: 'text' } as const];
  const columns = gridColumns(description, { sort: [], layout: plainLayout }, found);
  expect(columns.map(({ width }) => width)).toEqual([undefined, undefined]);
});

test('the user’s order, pins and hidden columns override those of the description', () => {
  const layout = { hidden: ['n'], pinned: [], order: ['note', 'id', 'n'], widths: {} };
  const column = (name: string) => ({
    name,
    type: 'text' as const,
    nativeType: 'TEXT',
    nullable: true,
    inKey: name === 'id',
    operators: [],
  });
  const columns = gridColumns(
    {
      name: 't',
      kind: 'table',
      columns: ['id', 'n', 'note'].map(column),
      key: ['id'],
      indexes: [],
      foreignKeys: [],
      exampleQuery: '',
      notes: [],
    },
    { sort: [], layout },
  );
  expect(columns.map(({ name, pinned }) => [name, pinned])).toEqual([
    ['note', false],
    ['id', false],
  ]);
});

describe('a new row that was saved', () => {
  const staged = {
    inserted: new Map(),
    updated: new Map(),
    deleted: new Map(),
    seen: { updated: new Map(), deleted: new Map() },
    sentAs: new Map(),
    invalid: new Map(),
  };
  const row = { row: 'new-1', key: null, kind: 'insert' as const, values: { name: 'Vulcan' }, at: -10_000 };
  const saved = new Map<string, SavedRow>([['new-1', row]]);
  const lines = (askedAt: number | undefined) =>
    stagedLines([], { staged, failures: {}, unknown: [], saved, askedAt });

  test('cannot be changed if it has no key', () => {
    expect(lines(-20_000)).toMatchObject([
      { id: 'new-1', readOnly: 'This row has no key, so it cannot be changed' },
    ]);
  });

  test('is not shown without a page, so it cannot be exported as a row of the page', () => {
    expect(lines(undefined)).toEqual([]);
  });
});
