import type { Cell, ChangeOutcome, RowKey } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { rowId } from './row-id.ts';
import { beginSave, endSave, settle, settleLooked, stepsOf } from './settle.ts';
import {
  changeSet,
  countStaged,
  discardAll,
  forgetConnectionFailures,
  noEdits,
  redo,
  type StagedEdits,
  type Step,
  stage,
  stagedRows,
  undo,
} from './staged-edits.ts';

let steps = 0;
const newId = () => `s${steps++}`;
const earth = { id: 3 };
const edit = (key: RowKey, column: string, cell: Cell, from?: Cell): Step => ({
  id: newId(),
  kind: 'edit',
  cells: [{ row: rowId(key), key, column, cell, ...(from !== undefined && { from }) }],
});
const insert = (row: string, values: Record<string, Cell>): Step => ({
  id: newId(),
  kind: 'insert',
  row,
  values,
});
const staged = (...all: Step[]) => all.reduce(stage, noEdits);
const changes = (edits: StagedEdits) => changeSet('t', undefined, edits).changes;
const begin = (edits: StagedEdits) =>
  beginSave(
    edits,
    'save',
    changes(edits).map(({ id }) => id),
  );
const ok = (id: string, key?: RowKey): ChangeOutcome => ({ id, status: 'applied', ...(key && { key }) });

test('an edit of a cell during its save is compared with the saved value', () => {
  const saving = begin(staged(edit(earth, 'name', 'Terra', 'Earth')));
  const after = settle(stage(saving, edit(earth, 'name', 'Gaia', 'Earth')), 'save', [ok(rowId(earth))]);
  expect(changes(after)).toEqual([
    { kind: 'update', id: rowId(earth), key: earth, values: { name: 'Gaia' }, expected: { name: 'Terra' } },
  ]);
  const same = stage(after, edit(earth, 'name', 'Terra', 'Terra'));
  expect(changes(same)).toEqual([]);
});

test('an edit that was made from the value before a save is compared with the saved value', () => {
  const stored = settle(begin(staged(edit(earth, 'name', 'Terra', 'Earth'))), 'save', [ok(rowId(earth))]);
  const after = endSave(stored, 'save');
  expect(changes(stage(after, edit(earth, 'name', 'Gaia', 'Earth')))).toEqual([
    { kind: 'update', id: rowId(earth), key: earth, values: { name: 'Gaia' }, expected: { name: 'Terra' } },
  ]);
  expect(changes(stage(after, edit(earth, 'name', 'Terra', 'Earth')))).toEqual([]);
  // Another value than that of before the save is somebody else's.
  expect(changes(stage(after, edit(earth, 'name', 'Gaia', 'Tellus')))).toMatchObject([
    { expected: { name: 'Tellus' } },
  ]);
  // Only the last save counts.
  const next = begin(stage(after, edit({ id: 4 }, 'name', 'Ares', 'Mars')));
  expect(changes(stage(next, edit(earth, 'name', 'Gaia', 'Earth')))).toContainEqual(
    expect.objectContaining({ expected: { name: 'Earth' } }),
  );
});

test('what a save stored is not kept for long values', () => {
  const long = 'x'.repeat(2_000);
  const saving = begin(staged(edit(earth, 'name', long, 'Earth'), edit(earth, 'moons', 2, 1)));
  const after = settle(saving, 'save', [ok(rowId(earth))]);
  expect(after.stored).toEqual({ [rowId(earth)]: { moons: { was: 1, now: 2 } } });
});

test('of a row that was stored in part, only the stored column has a new value', () => {
  const saving = begin(staged(edit(earth, 'name', 'Terra', 'Earth'), edit(earth, 'moons', 2, 1)));
  const outcome: ChangeOutcome = {
    id: rowId(earth),
    status: 'failed',
    stored: ['name'],
    error: { code: 'query_failed', message: 'No' },
  };
  const after = endSave(settle(saving, 'save', [outcome]), 'save');
  const again = discardAll(
    after,
    after.steps.map(({ id }) => id),
  );
  const next = stage(stage(again, edit(earth, 'name', 'Gaia', 'Earth')), edit(earth, 'moons', 3, 1));
  expect(changes(next)).toMatchObject([{ expected: { name: 'Terra', moons: 1 } }]);
});

test('a cell that is set back to its old value during its save is an edit after the save', () => {
  const saving = begin(staged(edit(earth, 'name', 'Terra', 'Earth')));
  const back = stage(saving, edit(earth, 'name', 'Earth', 'Earth'));
  expect(changes(back)).toEqual([]);
  expect(changes(settle(back, 'save', [ok(rowId(earth))]))).toEqual([
    { kind: 'update', id: rowId(earth), key: earth, values: { name: 'Earth' }, expected: { name: 'Terra' } },
  ]);
});

test('an undo during a save survives the save, even if more is typed after the undo', () => {
  const first = edit(earth, 'name', 'Terra', 'Earth');
  const undone = undo(begin(staged(first)), first.id);
  const wanted = [
    { kind: 'update', id: rowId(earth), key: earth, values: { name: 'Earth' }, expected: { name: 'Terra' } },
  ];
  expect(changes(settle(undone, 'save', [ok(rowId(earth))]))).toEqual(wanted);
  const typed = stage(undone, edit({ id: 4 }, 'name', 'Ares', 'Mars'));
  expect(changes(settle(typed, 'save', [ok(rowId(earth))]))).toEqual([
    ...wanted,
    {
      kind: 'update',
      id: rowId({ id: 4 }),
      key: { id: 4 },
      values: { name: 'Ares' },
      expected: { name: 'Mars' },
    },
  ]);
});

test('a new row that was undone during its save becomes a staged deletion, and one that was edited becomes a staged update', () => {
  const first = insert('new 1', { name: 'Vulcan' });
  const saving = begin(staged(first, insert('new 2', { name: 'Pluto' })));
  const key = { id: 9 };
  const later: Step = {
    id: newId(),
    kind: 'edit',
    cells: [{ row: 'new 2', key: null, column: 'name', cell: 'Charon' }],
  };
  const after = settle(undo(stage(saving, later), first.id), 'save', [
    ok('new 1', key),
    ok('new 2', { id: 10 }),
  ]);
  expect(changes(after)).toEqual([
    { kind: 'delete', id: rowId(key), key, expected: {} },
    {
      kind: 'update',
      id: rowId({ id: 10 }),
      key: { id: 10 },
      values: { name: 'Charon' },
      expected: { name: 'Pluto' },
    },
  ]);
  // An editor that was open on the new row closes after the save, and stages its value under the row's old id.
  const last = stage(endSave(after, 'save'), { ...later, id: newId() });
  expect(changes(last)).toContainEqual({
    kind: 'update',
    id: rowId({ id: 10 }),
    key: { id: 10 },
    values: { name: 'Charon' },
    expected: { name: 'Pluto' },
  });
});

test('a failed row keeps its edit and message; a new row that may be stored stays staged, and is sent again only on request', () => {
  const saving = begin(staged(edit(earth, 'name', 'Terra', 'Earth'), insert('new 1', { name: 'Vulcan' })));
  const after = endSave(
    settle(saving, 'save', [
      { id: rowId(earth), status: 'failed', error: { code: 'conflict', message: 'Not unique' } },
      { id: 'new 1', status: 'unknown' },
    ]),
    'save',
  );
  expect(after).toMatchObject({
    failures: { [rowId(earth)]: { message: 'Not unique' } },
    unknown: ['new 1'],
  });
  expect(changes(after).map(({ id }) => id)).toEqual([rowId(earth)]);
  expect(countStaged(stagedRows(after))).toMatchObject({ inserted: 1, updated: 1 });
  expect(changes(beginSave(after, 'again', ['new 1'])).map(({ id }) => id)).toContain('new 1');
});

test('of a row that the database stored in part, only the rest stays staged, with a message that says so', () => {
  const by = edit(earth, 'by', 'Ada', 'Grace');
  const name = edit(earth, 'name', 'Terra', 'Earth');
  const saving = begin(staged(by, name));
  const error = { code: 'query_failed' as const, message: 'Stored: by. Not stored: name. Refused' };
  const failed: ChangeOutcome = { id: rowId(earth), status: 'failed', stored: ['by'], error };
  const rest = { kind: 'update', id: rowId(earth), key: earth };
  const after = settle(saving, 'save', [failed]);
  expect(changes(after)).toEqual([{ ...rest, values: { name: 'Terra' }, expected: { name: 'Earth' } }]);
  expect(after.failures[rowId(earth)]?.message).toBe(error.message);
  // The user undoes both edits during the save. The stored one becomes an edit back, and the other one can be redone.
  const undone = settle(undo(undo(saving, name.id), by.id), 'save', [failed]);
  expect(changes(undone)).toEqual([{ ...rest, values: { by: 'Grace' }, expected: { by: 'Ada' } }]);
  expect(changes(redo(undone, name.id))).toEqual([
    { ...rest, values: { by: 'Grace', name: 'Terra' }, expected: { by: 'Ada', name: 'Earth' } },
  ]);
});

test('messages about a lost connection can be removed; a row that may have been stored keeps its message', () => {
  const saving = begin(
    staged(edit(earth, 'name', 'Terra', 'Earth'), insert('new 1', {}), insert('new 2', {})),
  );
  const error = { code: 'connection_failed' as const, message: 'Connection refused' };
  const after = settle(saving, 'save', [
    { id: rowId(earth), status: 'failed', error },
    { id: 'new 1', status: 'unknown', error },
    { id: 'new 2', status: 'failed', error: { code: 'conflict', message: 'Not unique' } },
  ]);
  expect(Object.keys(forgetConnectionFailures(after).failures)).toEqual(['new 1', 'new 2']);
});

test('an outcome that is applied twice changes nothing more, and an outcome of another save changes nothing', () => {
  const first = insert('new 1', { name: 'Vulcan' });
  const undone = undo(begin(staged(first)), first.id);
  const once = settle(undone, 'save', [ok('new 1', { id: 9 })]);
  expect(settle(once, 'save', [ok('new 1', { id: 9 })])).toBe(once);
  expect(settle(once, 'other', [ok('new 1', { id: 9 })])).toBe(once);
});

test('while one save runs no other starts', () => {
  const saving = begin(staged(edit(earth, 'name', 'Terra', 'Earth')));
  expect(beginSave(saving, 'second', [rowId(earth)])).toBe(saving);
});

type Database = Map<string, { key: RowKey; values: Record<string, Cell> }>;

/** The rows that the grid shows: the database's rows with the staged edits applied. */
function shown(database: Database, edits: StagedEdits): Record<string, Record<string, Cell>> {
  const { updated, inserted, deleted } = stagedRows(edits);
  const rows: Record<string, Record<string, Cell>> = {};
  for (const [row, { values }] of database) {
    if (!deleted.has(row)) rows[row] = { ...values, ...updated.get(row)?.values };
  }
  const names = new Map(Object.entries(edits.keys).map(([name, key]) => [name, rowId(key)]));
  for (const [row, values] of inserted) rows[names.get(row) ?? row] = { a: null, b: null, ...values };
  return rows;
}

/** Gives a saved new row the id of its key, so that rows before and after an outcome can be compared. */
function renamed(rows: ReturnType<typeof shown>, keys: StagedEdits['keys']) {
  return Object.fromEntries(
    Object.entries(rows).map(([row, values]) => [keys[row] ? rowId(keys[row]) : row, values]),
  );
}

test('after random edits, undos and outcomes, nothing typed is lost and nothing applied is still staged', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomOf(seed);
    const database: Database = new Map();
    let nextKey = 1;
    for (; nextKey <= 4; nextKey++) {
      const key = { id: nextKey };
      database.set(rowId(key), { key, values: { a: `a${nextKey}`, b: `b${nextKey}` } });
    }
    let edits = noEdits;
    let waiting: ReturnType<typeof changes> = [];
    let saves = 0;
    /** Rows whose deletion was sent. The test never undoes such a deletion, since the row is deleted all the same. */
    let deleting = new Set<string>();

    const act = () => {
      const rows = Object.keys(shown(database, edits));
      const row = rows[random(rows.length)];
      const kind = random(10);
      if (kind < 4 && row !== undefined) {
        const column = random(2) ? 'a' : 'b';
        const stored = database.get(row);
        const cell = random(4) === 0 && stored ? stored.values[column]! : `v${random(6)}`;
        const { key = null } = stored ?? {};
        const from = stored ? { from: stored.values[column] } : {};
        edits = stage(edits, { id: newId(), kind: 'edit', cells: [{ row, key, column, cell, ...from }] });
        // A new row sets both columns. An undo after the save could not restore a column that the row left out.
      } else if (kind === 4) edits = stage(edits, insert(`new ${newId()}`, { a: `n${random(6)}`, b: null }));
      else if (kind === 5 && row !== undefined) {
        const key = database.get(row)?.key ?? null;
        edits = stage(edits, { id: newId(), kind: 'delete', rows: [{ row, key }] });
      } else if (kind < 8 && edits.steps.length > 0) {
        const last = edits.steps.at(-1)!;
        const takesBackDeletion = last.kind === 'delete' && last.rows.some((one) => deleting.has(one.row));
        if (!takesBackDeletion) edits = undo(edits, last.id);
      } else if (kind === 8 && edits.undone.length > 0) edits = redo(edits, edits.undone.at(-1)!.id);
    };
    const start = () => {
      waiting = changes(edits);
      deleting = new Set(waiting.flatMap(({ kind, id }) => (kind === 'delete' ? [id] : [])));
      edits = beginSave(
        edits,
        `save ${++saves}`,
        waiting.map(({ id }) => id),
      );
    };
    const arrive = (fails: boolean) => {
      const [change] = waiting.splice(random(waiting.length), 1);
      if (!change) return;
      const before = shown(database, edits);
      let outcome: ChangeOutcome = { id: change.id, status: 'failed' };
      if (!fails) {
        if (change.kind === 'delete') database.delete(change.id);
        if (change.kind === 'update') Object.assign(database.get(change.id)!.values, change.values);
        if (change.kind === 'insert') {
          const key = { id: nextKey++ };
          database.set(rowId(key), { key, values: { a: null, b: null, ...change.values } });
          outcome = ok(change.id, key);
        } else outcome = ok(change.id);
      }
      const saveId = `save ${saves}`;
      edits = settle(edits, saveId, [outcome]);
      expect(settle(edits, saveId, [outcome])).toBe(edits);
      expect([seed, renamed(shown(database, edits), edits.keys)]).toEqual([
        seed,
        renamed(before, edits.keys),
      ]);
      if (waiting.length === 0) {
        edits = endSave(edits, saveId);
        deleting = new Set();
      }
    };

    for (let turn = 0; turn < 60; turn++) {
      const what = random(6);
      if (what === 0 && !edits.saving && changes(edits).length > 0) start();
      else if (what < 3 && waiting.length > 0) arrive(random(4) === 0);
      else act();
    }
    while (waiting.length > 0) arrive(false);
    const wanted = shown(database, edits);
    if (changes(edits).length > 0) {
      start();
      while (waiting.length > 0) arrive(false);
    }
    expect([seed, changes(edits)]).toEqual([seed, []]);
    const stored = Object.fromEntries([...database].map(([row, { values }]) => [row, values]));
    expect([seed, stored]).toEqual([seed, renamed(wanted, edits.keys)]);
  }
});

test('a new row that may be stored is not sent after a discard and a redo, until the user says so', () => {
  const added = insert('new 1', { name: 'Vulcan' });
  const unsure = endSave(settle(begin(staged(added)), 'save', [{ id: 'new 1', status: 'unknown' }]), 'save');
  const back = redo(discardAll(unsure, [added.id]), added.id);
  expect(back.steps).toEqual(unsure.steps);
  expect(changes(back)).toEqual([]);
  expect(changes(beginSave(back, 'again', ['new 1'])).map(({ id }) => id)).toEqual(['new 1']);
});

test('discarding during a save counts as undoing each step', () => {
  const first = edit(earth, 'name', 'Terra', 'Earth');
  const discarded = discardAll(begin(staged(first)), [first.id]);
  expect(changes(settle(discarded, 'save', [ok(rowId(earth))]))).toEqual([
    { kind: 'update', id: rowId(earth), key: earth, values: { name: 'Earth' }, expected: { name: 'Terra' } },
  ]);
});

/** Mulberry32: the same numbers for the same seed, so that a failure can be reproduced. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

test('a later check settles each unknown row that it has a result for, and ignores settled rows', () => {
  const lost = (id: string): ChangeOutcome => ({ id, status: 'unknown' });
  const names = ['there', 'missing', 'untold'];
  const sent = begin(staged(...names.map((name) => insert(name, { title: name }))));
  const unsure = endSave(settle(sent, 'save', names.map(lost)), 'save');
  expect(unsure.unknown).toEqual(names);
  const looked = look(unsure, [
    ok('there', { uuid: '1' }),
    { id: 'missing', status: 'failed', error: { code: 'query_failed', message: 'Not stored' } },
    lost('untold'),
  ]);
  expect(looked.unknown).toEqual(['untold']);
  expect(looked.saving).toBeNull();
  expect(changes(looked)).toEqual([{ kind: 'insert', id: 'missing', values: { title: 'missing' } }]);
  expect(looked.failures.missing).toEqual({ code: 'query_failed', message: 'Not stored' });
  expect(look(looked, [ok('there', { uuid: '1' })])).toBe(looked);
});

/** Applies a check that began with the edits `before`. `meanwhile`: the edits when the check ends. */
function look(before: StagedEdits, outcomes: ChangeOutcome[], meanwhile = before): StagedEdits {
  const sent = stepsOf(before.steps, before.unknown);
  return settleLooked(meanwhile, { sent, outcomes });
}

test('if a check finds a new row stored, an edit or undo made during the check becomes a staged update', () => {
  const editNew = (column: string, cell: Cell): Step => ({
    id: newId(),
    kind: 'edit',
    cells: [{ row: 'new', key: null, column, cell }],
  });
  const sent = begin(staged(insert('new', { title: 'first' }), editNew('pages', 5)));
  const unsure = endSave(settle(sent, 'save', [{ id: 'new', status: 'unknown' }]), 'save');
  const key = { uuid: '1' };
  const edited = stage(unsure, editNew('title', 'second'));
  expect(changes(look(unsure, [ok('new', key)], edited))).toEqual([
    { kind: 'update', id: rowId(key), key, values: { title: 'second' }, expected: { title: 'first' } },
  ]);
  const undone = undo(unsure, unsure.steps.at(-1)!.id);
  expect(changes(look(unsure, [ok('new', key)], undone))).toEqual([
    { kind: 'update', id: rowId(key), key, values: { pages: null }, expected: { pages: 5 } },
  ]);
});

test('a new row that may be stored is sent again with the same key, also after a check, an undo and a redo', () => {
  const key = { uuid: 'u1' };
  const sent = begin(staged(insert('lost', { title: 'lost', uuid: '' }), insert('typed', { uuid: 'mine' })));
  const settled = endSave(
    settle(sent, 'save', [
      { id: 'lost', status: 'unknown', key },
      { id: 'typed', status: 'unknown', key: { uuid: 'mine' } },
    ]),
    'save',
  );
  const again = { ...settled, unknown: [] };
  const wanted = [
    { kind: 'insert', id: 'lost', values: { title: 'lost', uuid: 'u1' }, key },
    { kind: 'insert', id: 'typed', values: { uuid: 'mine' }, key: { uuid: 'mine' } },
  ];
  expect(changes(again)).toEqual(wanted);
  // The user checks, and the row is not stored. It is saved again under its key, also after undo and redo.
  const looked = look(settled, [
    { id: 'lost', status: 'failed', error: { code: 'query_failed', message: 'Not stored' }, key },
  ]);
  expect(changes(looked)).toEqual(wanted.slice(0, 1));
  const last = looked.steps.at(-1)!.id;
  expect(changes({ ...redo(undo(looked, last), last), unknown: [] })).toEqual(wanted);
});

test('a check without a result keeps the message of the row, unless the check brings a newer one', () => {
  const error = { code: 'timeout', message: 'No answer' } as const;
  const sent = begin(staged(insert('a', {})));
  const lost = endSave(settle(sent, 'save', [{ id: 'a', status: 'unknown', error }]), 'save');
  expect(look(lost, [{ id: 'a', status: 'unknown' }])).toBe(lost);
  const newer = { code: 'conflict', message: 'It may be this row' } as const;
  const looked = look(lost, [{ id: 'a', status: 'unknown', error: newer }]);
  expect([looked.unknown, looked.failures.a]).toEqual([['a'], newer]);
});

test('applying the outcomes of many rows reads each sent cell only a few times', () => {
  let reads = 0;
  const rows = Array.from({ length: 200 }, (_, at) => `new-${at}`);
  const cells = rows.map((row) => ({
    get row() {
      reads++;
      return row;
    },
    key: null,
    column: 'name',
    cell: 'Vulcan',
  }));
  const saving = begin(staged(...rows.map((row) => insert(row, {})), { id: newId(), kind: 'edit', cells }));
  reads = 0;
  const after = settle(
    saving,
    'save',
    rows.map((row, at) => ok(row, { id: at })),
  );
  expect(changes(after)).toEqual([]);
  expect(reads / rows.length).toBeLessThan(20);
});
