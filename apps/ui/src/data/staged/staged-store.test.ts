import {
  applyCommand,
  type Command,
  noEdits,
  type StagedEdits,
  stagedRows,
  type WindowCommand,
} from '@trestle/core/staged-edits';
import { packWire } from '@trestle/driver-kit';
import { afterEach, expect, test, vi } from 'vitest';
import * as api from '../api/api.ts';
import { unstored } from '../messages/unstored.ts';
import { discardStaged, StagedStore, stagedStore } from './staged-store.ts';

vi.mock('../api/api.ts', async (load) => ({ ...(await load<typeof api>()), syncStaged: vi.fn() }));

/** The app's side: one list that the stores of several windows sync with. */
function app() {
  const log: { command: Command; number: number | null; window: number }[] = [];
  const applied = new Map<number, number>();
  let isDown = false;
  const sync = (window: number, request: Parameters<typeof api.syncStaged>[1]): api.StagedNews => {
    const last = applied.get(window) ?? 0;
    for (const [at, command] of request.commands.entries()) {
      const number = request.first + at;
      if (number > last) log.push({ command: command as WindowCommand, number, window });
    }
    applied.set(window, Math.max(last, request.first + request.commands.length - 1));
    const news = { revision: log.length, applied: applied.get(window) ?? 0 };
    if (request.since === null) return { ...news, whole: packWire(edits()) };
    const commands = log
      .slice(request.since)
      .map((one) => (one.window === window ? { own: one.number! } : { command: one.command }));
    return { ...news, commands } as api.StagedNews;
  };
  const edits = (): StagedEdits => log.reduce((now, { command }) => applyCommand(now, command), noEdits);
  const stores: StagedStore[] = [];
  let answers = Promise.resolve();
  vi.mocked(api.syncStaged).mockImplementation(async (connection, request) => {
    await answers;
    if (isDown) throw new TypeError('Failed to fetch');
    return sync(Number(connection), request);
  });
  return {
    edits,
    log,
    window(): StagedStore {
      const connectionId = String(stores.length);
      const store = new StagedStore(connectionId, { connectionId, table: 't' });
      stores.push(store);
      return store;
    },
    /** A command of the core, or of a window without a store here. */
    other: (command: Command) => log.push({ command, number: null, window: -1 }),
    down: (down: boolean) => {
      isDown = down;
    },
    /** Holds the answers until the returned function is called. */
    hold(): () => void {
      const held = Promise.withResolvers<void>();
      answers = held.promise;
      return held.resolve;
    },
  };
}

afterEach(() => vi.mocked(api.syncStaged).mockReset());

const insert = (name: string): WindowCommand => ({
  kind: 'stage',
  steps: [{ id: name, kind: 'insert', row: name, values: {} }],
});
const rows = (edits: StagedEdits) => [...stagedRows(edits).inserted.keys()];

test('a change shows at once, and the commands of others come before it', async () => {
  const server = app();
  const window = server.window();
  await window.flush();
  const answer = server.hold();
  window.change(insert('mine'));
  expect(rows(window.get())).toEqual(['mine']);
  server.other(insert('theirs'));
  answer();
  await window.flush();
  expect(rows(window.get())).toEqual(['theirs', 'mine']);
  expect(window.get()).toEqual(server.edits());
});

test('changes made while the app does not answer are kept, and sent once when it is back', async () => {
  const server = app();
  const window = server.window();
  await window.flush();
  server.down(true);
  window.change(insert('a'));
  window.change(insert('b'));
  await expect(window.flush()).rejects.toThrow('Trestle is not answering');
  expect(rows(window.get())).toEqual(['a', 'b']);
  server.down(false);
  await window.flush();
  expect(rows(server.edits())).toEqual(['a', 'b']);
});

test('if the answer to a command is lost, the command takes effect once', async () => {
  const server = app();
  const window = server.window();
  await window.flush();
  const working = vi.mocked(api.syncStaged).getMockImplementation()!;
  vi.mocked(api.syncStaged).mockImplementationOnce(async (...call) => {
    await working(...call);
    throw new TypeError('Failed to fetch');
  });
  window.change(insert('a'));
  await expect.poll(() => server.log.length).toBe(1);
  // Another window saves the row meanwhile. A second insert would be stored a second time.
  server.other({ kind: 'begin', save: 's', rows: ['a'], at: 1 });
  server.other({ kind: 'settle', save: 's', outcomes: [{ id: 'a', status: 'applied', key: { id: 1 } }] });
  server.other({ kind: 'end', save: 's' });
  await window.flush();
  expect(server.log).toHaveLength(4);
  expect([window.get().steps, server.edits().steps]).toEqual([[], []]);
});

test('a closing page sends what is not confirmed, and the late first request changes nothing', async () => {
  const server = app();
  const window = server.window();
  await window.flush();
  const answer = server.hold();
  window.change(insert('a'));
  window.change(insert('b'));
  window.flushNow();
  answer();
  await window.flush();
  expect(server.log.map(({ command }) => command)).toEqual([insert('a'), insert('b')]);
});

test('a change that the app does not accept is taken back and named, and the changes beside it are kept', async () => {
  const server = app();
  const window = server.window();
  await window.flush();
  const working = vi.mocked(api.syncStaged).getMockImplementation()!;
  vi.mocked(api.syncStaged).mockImplementation(async (...call) => {
    const isHuge = call[1].commands.some((command) => JSON.stringify(command).includes('huge'));
    if (!isHuge) return working(...call);
    throw new api.ApiError({ code: 'invalid_argument', message: 'The request is larger than 64 MB' });
  });
  for (const name of ['a', 'b', 'huge', 'c', 'd']) window.change(insert(name));
  await window.flush().catch(() => {});
  await window.flush();
  expect(rows(server.edits())).toEqual(['a', 'b', 'c', 'd']);
  expect(window.get()).toEqual(server.edits());
});

test('the window says that the app cannot store changes, until it can', async () => {
  const server = app();
  const [one, two] = [server.window(), server.window()];
  await Promise.all([one.flush(), two.flush()]);
  const full = new api.ApiError({ code: 'storage_failed', message: 'The disk is full' });
  vi.mocked(api.syncStaged).mockRejectedValueOnce(full).mockRejectedValueOnce(full);
  one.change(insert('a'));
  two.change(insert('b'));
  await expect.poll(() => unstored.getState().reason).toBe('The disk is full');
  await one.flush();
  expect(unstored.getState().reason).toBe('The disk is full');
  await two.flush();
  expect(unstored.getState().reason).toBeNull();
  expect(rows(server.edits()).sort()).toEqual(['a', 'b']);
});

test('listeners hear of each confirmed command with the edits before it', async () => {
  const server = app();
  const window = server.window();
  await window.flush();
  const heard: [string, string[]][] = [];
  window.listen((command, before) => heard.push([command.kind, rows(before)]));
  window.change(insert('a'));
  await window.flush();
  server.other({ kind: 'begin', save: 's', rows: ['a'], at: 1 });
  window.heard(2);
  await window.flush();
  expect(heard).toEqual([
    ['stage', []],
    ['begin', ['a']],
  ]);
});

test('the event of a command of this window causes no second request', async () => {
  const server = app();
  const window = server.window();
  await window.flush();
  const calls = vi.mocked(api.syncStaged).mock.calls.length;
  window.change(insert('a'));
  window.heard(1);
  await expect.poll(() => server.log.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve));
  window.heard(1);
  await new Promise((resolve) => setTimeout(resolve));
  expect(vi.mocked(api.syncStaged).mock.calls.length - calls).toBeLessThanOrEqual(2);
});

test('windows that change and undo at random end with the same edits as the app', async () => {
  const server = app();
  const windows = [server.window(), server.window(), server.window()];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let turn = 0; turn < 300; turn++) {
    const window = windows[random(3)]!;
    const { steps, undone } = window.get();
    const what = random(6);
    if (what < 3) window.change(insert(`row ${turn}`));
    else if (what === 3 && steps.length > 0) window.change({ kind: 'undo', step: steps.at(-1)!.id });
    else if (what === 4 && undone.length > 0) window.change({ kind: 'redo', step: undone.at(-1)!.id });
    else window.refresh();
    server.down(random(5) === 0);
    if (random(4) === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  server.down(false);
  for (const window of windows) await window.flush();
  for (const window of windows) await window.flush();
  for (const window of windows) expect(window.get()).toEqual(server.edits());
});

test('a deleted table loses its undone edits too, in all partitions', () => {
  vi.mocked(api.syncStaged).mockImplementation(() => new Promise(() => {}));
  const notes = [undefined, 'acme'].map((partition) => stagedStore('c', 'Notes', partition));
  const other = stagedStore('c', 'Notes 2', undefined);
  for (const { change } of [...notes, other]) {
    change(insert('s1'));
    change({ kind: 'undo', step: 's1' });
  }
  discardStaged('c', 'Notes');
  expect(notes.map(({ get }) => get())).toEqual([noEdits, noEdits]);
  expect(other.get().undone).toHaveLength(1);
});
