import { join } from 'node:path';
import { type Change, type ChangeOutcome, packWire } from '@trestle/driver-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../errors.ts';
import {
  applyCommand,
  changesOf,
  type StagedEdits,
  stage,
  stagedRows,
  unpackEdits,
  type WindowCommand,
} from '../staged-edits/index.ts';
import { noEdits, type Step } from '../staged-edits/staged-edits.ts';
import { stepsFor } from '../staged-edits/testing/steps-for.ts';
import { openStorage } from '../storage/storage.ts';
import { spoilTable } from '../storage/testing/damaged-home.ts';
import { fixtureDraft, testCore } from '../testing/test-core.ts';
import type { Core, SaveFrame, StagedNews, TablePart } from '../types.ts';
import { SaveJournal } from './save-journal.ts';
import { StagedLists } from './staged-lists.ts';

const row = (id: string): Change => ({ kind: 'insert', id, values: {} });
const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

/** A window: its copy of the edits of a table, and the outcomes that it has heard of. */
class Page {
  edits: StagedEdits = noEdits;
  readonly outcomes: ChangeOutcome[] = [];
  readonly name = crypto.randomUUID();
  #revision: number | null = null;
  #number = 1;
  readonly #core: Core;
  readonly #table: TablePart;

  constructor(core: Core, table: TablePart) {
    this.#core = core;
    this.#table = table;
  }

  send(...commands: WindowCommand[]): this {
    const request = { since: this.#revision, window: this.name, first: this.#number, commands };
    const news = this.#core.staged.sync(this.#table, request);
    this.#take(news, commands);
    this.#number += commands.length;
    return this;
  }

  #take(news: StagedNews, sent: WindowCommand[]): void {
    if ('whole' in news) this.edits = unpackEdits(news.whole)!;
    else {
      for (const one of news.commands) {
        const command = 'own' in one ? sent[one.own - this.#number]! : one.command;
        if (command.kind === 'settle') this.outcomes.push(...command.outcomes);
        this.edits = applyCommand(this.edits, command);
      }
    }
    this.#revision = news.revision;
  }

  insert(...ids: string[]): this {
    return this.send({ kind: 'stage', steps: stepsFor(ids.map(row)) });
  }

  get changes(): Change[] {
    return changesOf(stagedRows(this.edits));
  }

  save(digit: number, changes = this.changes): AsyncIterable<SaveFrame> {
    return this.#core.staged.save(this.#table, { id: id(digit), changes });
  }

  /** Waits until no save runs. */
  async settled(): Promise<ChangeOutcome[]> {
    await expect.poll(() => this.send().edits.saving).toBeNull();
    return this.outcomes;
  }
}

async function begin() {
  const parts = await testCore();
  const { id: connectionId } = await parts.core.connections.create(fixtureDraft);
  const open = (partition?: string) =>
    new Page(parts.core, { connectionId, table: 't', ...(partition !== undefined && { partition }) }).send();
  return { ...parts, connectionId, open, page: open() };
}

const all = (reading: AsyncIterable<SaveFrame>) => Array.fromAsync(reading);

test('a window applies the commands of others, and a command that is sent again takes effect once', async () => {
  const { core, connectionId, open, page } = await begin();
  const other = open();
  page.insert('a').insert('b');
  expect(other.send().edits).toEqual(page.edits);
  const [step] = page.edits.steps;
  other.send({ kind: 'undo', step: step!.id });
  expect(page.send().edits).toEqual(other.edits);
  expect(page.changes.map((change) => change.id)).toEqual(['b']);
  const table = { connectionId, table: 't' };
  const again = { since: null, window: page.name, first: 1, commands: [{ kind: 'redo', step: step!.id }] };
  core.staged.sync(table, again as Parameters<Core['staged']['sync']>[1]);
  expect(page.send().changes.map((change) => change.id)).toEqual(['b']);
  expect(core.staged.counts()).toEqual([{ ...table, count: 1 }]);
});

test('a window that missed many commands gets the whole list', async () => {
  const { open, page } = await begin();
  const other = open();
  for (let at = 0; at < 600; at++) page.insert(`row ${at}`);
  expect(other.send().edits).toEqual(page.edits);
  expect(other.changes).toHaveLength(600);
});

test('staged edits survive a restart, however many commands made them, and so does what a window has sent', async () => {
  for (const count of [3, 700]) {
    const { core, connectionId, home, page } = await begin();
    for (let at = 0; at < count; at++) page.insert(`row ${at}`);
    page.send({ kind: 'undo', step: page.edits.steps.at(-1)!.id });
    await core.close();
    const next = await testCore({ home });
    const table = { connectionId, table: 't' };
    const commands: WindowCommand[] = [{ kind: 'clear' }];
    const request = { since: null, window: page.name, first: count + 1, commands };
    const news = next.core.staged.sync(table, request);
    expect('whole' in news && unpackEdits(news.whole)).toEqual(page.edits);
    expect(next.core.staged.counts()).toEqual([{ ...table, count: count - 1 }]);
  }
});

test('the edits of a deleted connection are gone, and a window that still sends some is not told to send them again', async () => {
  const { core, connectionId, page } = await begin();
  page.insert('a');
  await core.connections.remove(connectionId);
  const steps = stepsFor([row('b')]);
  const commands: WindowCommand[] = [{ kind: 'stage', steps }];
  const news = core.staged.sync(
    { connectionId, table: 't' },
    { since: 1, window: page.name, first: 2, commands },
  );
  expect(news).toMatchObject({ revision: 0, applied: 2 });
  expect(core.staged.counts()).toEqual([]);
});

test('a change that cannot be stored is not applied', async () => {
  const { page, open } = await begin();
  page.insert('a');
  const spy = vi.spyOn(StagedLists.prototype, 'commit').mockImplementationOnce(() => {
    throw new AppError({ code: 'storage_failed', message: 'The disk is full' });
  });
  onTestFinished(() => spy.mockRestore());
  expect(() => page.insert('b')).toThrow('The disk is full');
  expect(open().changes).toHaveLength(1);
});

/** The records of window state as an earlier version left them. */
async function leaveRecords(records: (connectionId: string) => Record<string, unknown>) {
  const { core, connectionId, home } = await begin();
  await core.close();
  const storage = openStorage(home);
  for (const [key, value] of Object.entries(records(connectionId))) {
    storage.run(
      'INSERT INTO window_records (key, connection_id, value) VALUES (?, ?, ?)',
      key,
      key === 'workspace' ? null : connectionId,
      JSON.stringify(value),
    );
  }
  storage.close();
  const next = await testCore({ home });
  const open = (table: string, partition?: string) =>
    new Page(next.core, { connectionId, table, ...(partition !== undefined && { partition }) }).send();
  return { next, connectionId, open, home };
}

/** The first version that staged edits had three parts, and steps without ids. */
const packed = (edits: object) => Buffer.from(packWire(edits)).toString('base64');

test('edits that an earlier version stored in records are taken over once, with a save that was running', async () => {
  const edits = stepsFor([row('a'), row('b')]).reduce(stage, noEdits);
  const saving = applyCommand(edits, { kind: 'begin', save: id(1), rows: ['a'], at: 1 });
  const { next, connectionId, open, home } = await leaveRecords((connection) => ({
    [`staged/${connection}/["t",null]`]: { packed: packed(edits), count: 2 },
    [`staged/${connection}/["t","a/b \\"c\\""]`]: { packed: packed(saving), count: 2 },
    [`staged/${connection}/["broken",null]`]: { packed: 'AAAA', count: 1 },
  }));
  expect(next.core.staged.counts()).toEqual([
    { connectionId, table: 't', count: 2 },
    { connectionId, table: 't', partition: 'a/b "c"', count: 2 },
  ]);
  expect(open('t').edits).toEqual(edits);
  // No journal names this save, so it sent nothing.
  const other = open('t', 'a/b "c"');
  await other.settled();
  expect(other.edits).toEqual(edits);
  expect(next.core.records.all().map(({ key }) => key)).toEqual([`staged/${connectionId}/["broken",null]`]);
  open('t').send({ kind: 'clear' });
  await next.core.close();
  expect((await testCore({ home })).core.staged.counts()).toHaveLength(1);
});

test('edits that the first versions stored with the tab of their table are taken over', async () => {
  const steps = stepsFor([row('a')]).map(({ id: _, ...step }) => step);
  const old = packed({ steps, undone: [], failures: {} });
  const view = { offset: 200, partition: 'p', staged: old, stagedCount: 1 };
  const list = [
    { id: '1', kind: 'table', table: 't', view },
    { id: '2', kind: 'query', text: '' },
  ];
  const { next, connectionId, open } = await leaveRecords((connection) => ({
    workspace: { open: [connection], tabs: { [connection]: { list, active: '1', closed: [] } } },
  }));
  expect(open('t', 'p').changes).toEqual([row('a')]);
  expect(next.core.records.get('workspace')?.value).toMatchObject({
    tabs: { [connectionId]: { list: [{ view: { offset: 200, partition: 'p' } }, { id: '2' }] } },
  });
  expect(JSON.stringify(next.core.records.get('workspace'))).not.toContain('staged');
});

test('a save settles its outcomes in the list, and its journal is empty afterwards', async () => {
  const { page, open, home } = await begin();
  const remove: Step = { id: 'd', kind: 'delete', rows: [{ row: 'b', key: { id: 1 } }] };
  page.insert('a').send({ kind: 'stage', steps: [remove] });
  expect(await all(page.save(1))).toEqual([{ started: true }, { done: true }]);
  const failed = { id: 'b', status: 'failed', error: { code: 'conflict', message: 'refused by •••' } };
  expect(await page.settled()).toEqual([failed, { id: 'a', status: 'applied' }]);
  expect(page.edits).toMatchObject({ steps: [remove], failures: { b: { message: 'refused by •••' } } });
  expect(open().edits).toEqual(page.edits);
  expect(journalRows(home)).toBe(0);
});

test('a save without a reader continues, and a second save of the same table and partition is refused meanwhile', async () => {
  const { core, connectionId, behave, page, open } = await begin();
  behave({ hang: ['applyChanges'] });
  const first = page.insert('a', 'b').save(1);
  const second = open().insert('c');
  expect(await all(second.save(2))).toMatchObject([{ error: { message: 'Another save of t is running' } }]);
  const other = open('p').insert('c').save(3);
  await expect.poll(() => core.sessions.status(connectionId).state).toBe('connected');
  expect(page.send().edits.saving).toMatchObject({ id: id(1), total: 2 });
  core.staged.cancel(id(1));
  core.staged.cancel(id(3));
  expect((await all(first)).at(-1)).toMatchObject({ error: { code: 'cancelled' } });
  expect((await all(other)).at(-1)).toMatchObject({ error: { code: 'cancelled' } });
  expect(page.send().edits.saving).toBeNull();
});

test('if a cancel arrives before its save, the save sends nothing', async () => {
  const { core, page } = await begin();
  core.staged.cancel(id(1));
  expect((await all(page.insert('a').save(1))).at(-1)).toMatchObject({ error: { code: 'cancelled' } });
  expect(await page.settled()).toEqual([]);
  expect(page.changes).toEqual([row('a')]);
});

test('a save sends only what the user has seen: nothing if another window changed or saved the rows', async () => {
  const { page, open } = await begin();
  const seen = page.insert('a', 'b').changes;
  const other = open();
  other.send({ kind: 'discardRows', rows: ['b'] });
  const refusal = 'Another window changed the edits of t or has saved them';
  expect(await all(page.save(1, seen))).toMatchObject([{ error: { code: 'conflict', message: refusal } }]);
  expect(await all(other.save(2))).toHaveLength(2);
  expect(await all(page.save(3, [row('a')]))).toMatchObject([{ error: { message: refusal } }]);
});

test('a save that cannot be journalled stops with the reason, not as cancelled', async () => {
  const { behave, page } = await begin();
  behave({ hang: ['applyChanges'] });
  const failure = new AppError({ code: 'storage_failed', message: 'The disk is full' });
  const spy = vi.spyOn(SaveJournal.prototype, 'note').mockImplementationOnce(() => {
    throw failure;
  });
  onTestFinished(() => spy.mockRestore());
  const told = await all(page.insert('a', 'b', 'c').save(1));
  expect(told.at(-1)).toMatchObject({ error: { code: 'storage_failed', message: 'The disk is full' } });
});

test('if the end of a save cannot be stored, it is stored later, with its outcomes', async () => {
  const { page } = await begin();
  page.insert('a');
  const frames = page.save(1);
  const spy = vi.spyOn(StagedLists.prototype, 'commit').mockImplementationOnce(() => {
    throw new AppError({ code: 'storage_failed', message: 'The disk is full' });
  });
  onTestFinished(() => spy.mockRestore());
  const unstored = { code: 'storage_failed', message: 'The disk is full' };
  expect(await all(frames)).toEqual([{ started: true }, { unstored }, { done: true }]);
  expect(await page.settled()).toEqual([{ id: 'a', status: 'applied' }]);
  expect(page.changes).toEqual([]);
});

test('when a driver dies, only the running row is unknown', async () => {
  const { behave, page } = await begin();
  behave({ exit: ['applyChanges'] });
  const told = await all(page.insert('a', 'b', 'c').save(1));
  expect(told.at(-1)).toMatchObject({ error: { code: 'driver_crashed' } });
  expect(await page.settled()).toMatchObject([{ id: 'a', status: 'unknown' }]);
  expect(page.edits.unknown).toEqual(['a']);
});

test('after a driver died, its next process is asked about the running row', async () => {
  const { behave, page } = await begin();
  behave({ exit: ['applyChanges'], settled: { a: 'applied' } });
  await all(page.insert('a', 'b').save(1));
  expect(await page.settled()).toMatchObject([{ id: 'a', status: 'applied' }]);
});

test('a row that was running when its driver died stays unknown if the driver has no settleChanges', async () => {
  const { behave, page } = await begin();
  behave({ exit: ['applyChanges'], without: ['settleChanges'] });
  await all(page.insert('a').save(1));
  expect(await page.settled()).toMatchObject([{ id: 'a', status: 'unknown' }]);
});

test('a check asks the database about unknown rows, and an automatic one does not delay the user', async () => {
  const { core, connectionId, behave, page } = await begin();
  behave({ exit: ['applyChanges'] });
  await all(page.insert('a').save(1));
  const table = { connectionId, table: 't' };
  behave({ fail: { settleChanges: { code: 'connection_failed', message: 'No server' } } });
  await expect(core.staged.check(table, { recent: false })).rejects.toThrow('No server');
  expect(page.send().edits.unknown).toEqual(['a']);
  behave({ settled: { a: 'applied' } });
  await Promise.all([
    core.staged.check(table, { recent: true }),
    core.staged.check(table, { recent: true }),
    core.staged.check(table, { recent: false }),
  ]);
  expect(page.send().edits).toMatchObject({ unknown: [], steps: [] });
});

/** The state that a killed app leaves: a save sent the rows, and none was answered. */
async function killedDuring(...ids: string[]) {
  const { core, connectionId, behave, home, page } = await begin();
  behave({ hang: ['applyChanges'] });
  const told = all(page.insert(...ids).save(1));
  await expect.poll(() => journalRows(home)).toBe(ids.length > 0 ? 1 : 0);
  await core.close();
  expect((await told).at(-1)).toHaveProperty('error');
  const storage = openStorage(home);
  const changes = new Map(ids.map((one) => [one, row(one)]));
  const sent = (keys: Record<string, { id: number }> = {}) => {
    storage.run('DELETE FROM save_rows');
    new SaveJournal(storage).note(id(1), { sent: ids, keys, outcomes: [] }, changes);
  };
  sent();
  const next = async () => {
    if (storage) storage.close();
    const parts = await testCore({ home });
    const open = () => new Page(parts.core, { connectionId, table: 't' }).send();
    return { ...parts, open };
  };
  return { home, storage, changes, sent, next };
}

function journalRows(home: string): number {
  const storage = openStorage(home);
  try {
    return Number(storage.get('SELECT count(*) AS n FROM save_rows')?.n);
  } finally {
    storage.close();
  }
}

test('rows that were running when the app ended are settled when a window opens the table, and by later checks', async () => {
  const { next } = await killedDuring('a', 'b', 'c');
  const { core, behave, open } = await next();
  behave({ settled: { a: 'applied', b: 'failed' } });
  const page = open();
  expect((await page.settled()).map(({ id, status }) => `${id} ${status}`)).toEqual([
    'a applied',
    'b failed',
    'c unknown',
  ]);
  expect(page.changes.map((change) => change.id)).toEqual(['b', 'c']);
  expect(page.edits.unknown).toEqual(['c']);
  behave({ settled: { c: 'failed' } });
  const { connectionId } = core.staged.counts()[0]!;
  await core.staged.check({ connectionId, table: 't' }, { recent: false });
  expect(page.send().edits.unknown).toEqual([]);
});

test('if the database cannot be asked about the rows of a killed app, they are unknown', async () => {
  const { next } = await killedDuring('a', 'b');
  const { behave, open } = await next();
  behave({ fail: { settleChanges: { code: 'connection_failed', message: 'No server' } } });
  const page = open();
  expect((await page.settled()).map(({ status }) => status)).toEqual(['unknown', 'unknown']);
  expect(page.edits.unknown).toEqual(['a', 'b']);
});

test('the key that a driver chose for a new row is kept until its outcome is known', async () => {
  const { sent, next } = await killedDuring('a');
  sent({ a: { id: 7 } });
  const { behave, open } = await next();
  behave({ fail: { settleChanges: { code: 'connection_failed', message: 'No server' } } });
  const page = open();
  expect(await page.settled()).toMatchObject([{ id: 'a', status: 'unknown', key: { id: 7 } }]);
  expect(page.changes).toMatchObject([{ id: 'a', key: { id: 7 } }]);
});

test('a save that was running when trestle.db was damaged is settled after the rescue', async () => {
  const { home, storage, next } = await killedDuring('a', 'b');
  spoilTable(storage, join(home, 'trestle.db'), 'tokens');
  const { core, behave, open } = await next();
  expect(core.damage.found).toContain('1 connection was taken over');
  behave({ settled: { a: 'applied', b: 'failed' } });
  const page = open();
  expect((await page.settled()).map(({ status }) => status)).toEqual(['applied', 'failed']);
  expect(page.changes.map((change) => change.id)).toEqual(['b']);
});

test('if the journal of a running save cannot be read, the user is told to look for its rows', async () => {
  const { home, storage, next } = await killedDuring('a');
  spoilTable(storage, join(home, 'trestle.db'), 'saves');
  const { core } = await next();
  expect(core.damage.found).toContain(
    'Some entries of the damaged file could not be taken over: running saves. ' +
      'A save that was running may have stored its rows: look for them before you save them again.',
  );
});

test('if a stored outcome is damaged, the row is looked up by the key in its change', async () => {
  const { storage, sent, changes, next } = await killedDuring('a');
  sent({ a: { id: 7 } });
  new SaveJournal(storage).note(id(1), { sent: [], outcomes: [{ id: 'a', status: 'applied' }] }, changes);
  storage.run("UPDATE save_rows SET outcome = x'00ff'");
  const { behave, open } = await next();
  behave({ settled: { a: 'applied' } });
  expect(await open().settled()).toEqual([{ id: 'a', status: 'applied', key: { id: 7 } }]);
});

test('if the journal row of a change cannot be read, its outcome is unknown, and the change is not sent again', async () => {
  const { storage, next } = await killedDuring('a');
  storage.run("UPDATE save_rows SET change = x'00ff'");
  const { behave, open } = await next();
  behave({ settled: { a: 'failed' } });
  const page = open();
  expect(await page.settled()).toMatchObject([
    { id: 'a', status: 'unknown', error: { message: 'Sent, but its entry in trestle.db is damaged' } },
  ]);
  expect(page.edits.unknown).toEqual(['a']);
});
