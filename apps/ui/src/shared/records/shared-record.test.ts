import { expect, test } from 'vitest';
import { type RecordChange, type RecordTransport, SharedRecord, type StoredRecord } from './shared-record.ts';

/** A store that compares versions at each write, as the app does. `down` simulates an app that does not answer. */
function store() {
  let current: StoredRecord | null = null;
  let versions = 0;
  const records: SharedRecord[] = [];
  const server = {
    down: false,
    get value() {
      return current?.value ?? null;
    },
    transport: {
      async get() {
        await Promise.resolve();
        if (server.down) throw new TypeError('Failed to fetch');
        return current;
      },
      async write({ key, version, value }) {
        await Promise.resolve();
        if (server.down) throw new TypeError('Failed to fetch');
        if ((current?.version ?? 0) !== version) return { written: false, current };
        current = value === null ? null : { key, version: ++versions, value };
        for (const record of records) record.heard(current?.version ?? 0);
        return { written: true, version: current?.version ?? 0 };
      },
    } satisfies RecordTransport,
    /** A window whose record is a set of words. A merge is the union of two sets. */
    window() {
      const own = new Set<string>();
      let theirs = new Set<string>();
      const shown = () => [...theirs.union(own)].sort();
      const record: SharedRecord = new SharedRecord({
        key: 'words',
        version: 0,
        transport: server.transport,
        owner: {
          value: shown,
          onStored: () => {
            theirs = new Set(shown());
          },
          onTheirs(value) {
            theirs = new Set(value as string[] | null);
            return !own.isSubsetOf(theirs);
          },
        },
      });
      records.push(record);
      const add = (word: string) => {
        own.add(word);
        record.changed();
      };
      return { record, add, shown };
    },
  };
  return server;
}

test('the second window to write merges its change with the first, and both windows see both changes', async () => {
  const server = store();
  const [one, two] = [server.window(), server.window()];
  one.add('a');
  two.add('b');
  await Promise.all([one.record.flush(), two.record.flush()]);
  expect(server.value).toEqual(['a', 'b']);
  await expect
    .poll(() => [one.shown(), two.shown()])
    .toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
});

test('three windows that write in a random order lose no word', async () => {
  const server = store();
  const windows = [server.window(), server.window(), server.window()];
  const words: string[] = [];
  for (let at = 0; at < 300; at++) {
    const window = windows[Math.floor(Math.random() * windows.length)]!;
    words.push(`w${at}`);
    window.add(`w${at}`);
    if (Math.random() < 0.4) void window.record.flush();
    if (Math.random() < 0.3) await Promise.resolve();
  }
  await Promise.all(windows.map(({ record }) => record.flush()));
  await expect.poll(() => server.value).toEqual(words.toSorted());
  for (const { shown } of windows) await expect.poll(shown).toEqual(words.toSorted());
});

test('a change is written even if further changes follow without a pause', async () => {
  const server = store();
  const window = server.window();
  for (let at = 0; server.value === null; at++) {
    window.add(`w${at}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(server.value).toContain('w0');
});

test('a page that closes during a write sends later changes in a second write, which may replace the first', async () => {
  const server = store();
  const window = server.window();
  const sent: RecordChange[] = [];
  const { write } = server.transport;
  server.transport.write = async (change) => {
    sent.push(change);
    return sent.length === 1 ? new Promise(() => {}) : write(change);
  };
  window.add('a');
  void window.record.flush();
  await expect.poll(() => sent.length).toBe(1);
  window.record.flushNow();
  expect(sent).toHaveLength(1);
  window.add('b');
  window.record.flushNow();
  expect(sent[1]).toMatchObject({ value: ['a', 'b'], after: sent[0]?.id });
});

test('a failed write is repeated once the app is back', async () => {
  const server = store();
  const window = server.window();
  server.down = true;
  window.add('a');
  await expect(window.record.flush()).rejects.toThrow();
  expect(window.record.isDirty).toBe(true);
  server.down = false;
  window.record.refresh();
  await window.record.flush();
  expect(server.value).toEqual(['a']);
});

test('the event of a write causes no read in the window that wrote', async () => {
  const server = store();
  let reads = 0;
  const { get } = server.transport;
  server.transport.get = () => {
    reads++;
    return get();
  };
  const [one, two] = [server.window(), server.window()];
  one.add('mine');
  await one.record.flush();
  await two.record.flush();
  // Only the other window had to read the record.
  expect(reads).toBe(1);
  expect([one.shown(), two.shown()]).toEqual([['mine'], ['mine']]);
});

test('a page that closes during a read sends the changes made during the read', async () => {
  const server = store();
  const window = server.window();
  window.add('a');
  await window.record.flush();
  server.transport.get = () => new Promise(() => {});
  window.record.refresh();
  window.add('b');
  window.record.flushNow();
  await expect.poll(() => server.value).toEqual(['a', 'b']);
});

test('a page that closes during a read does not overwrite the change of another window', async () => {
  const server = store();
  const [one, two] = [server.window(), server.window()];
  server.transport.get = () => new Promise(() => {});
  one.add('theirs');
  await one.record.flush();
  two.add('mine');
  two.record.flushNow();
  await new Promise((resolve) => setTimeout(resolve));
  expect(server.value).toEqual(['theirs']);
});

test('if a closing page sends a newer value during a write, the answer to that write does not mark the newer value as stored', async () => {
  const server = store();
  const events: string[] = [];
  let value = 'a';
  let answer = () => {};
  const record = new SharedRecord({
    key: 'words',
    version: 0,
    transport: {
      ...server.transport,
      async write(change) {
        if (change.after === undefined) await new Promise<void>((resolve) => (answer = resolve));
        return change.after === undefined
          ? server.transport.write(change)
          : { written: false, current: null };
      },
    },
    owner: {
      value: () => {
        events.push(`sent ${value}`);
        return value;
      },
      onStored: () => void events.push('stored'),
      onTheirs: () => false,
    },
  });
  record.changed();
  void record.flush();
  await expect.poll(() => events).toEqual(['sent a']);
  value = 'b';
  record.changed();
  record.flushNow();
  answer();
  await expect.poll(() => events).toEqual(['sent a', 'sent b', 'sent b']);
  answer();
  await expect.poll(() => events).toEqual(['sent a', 'sent b', 'sent b', 'stored']);
});

test('a refresh during a read causes a second read, because the first answer may be too old', async () => {
  const server = store();
  const window = server.window();
  const { get } = server.transport;
  const answers: (() => void)[] = [];
  server.transport.get = async () => {
    const current = await get();
    await new Promise<void>((resolve) => answers.push(resolve));
    return current;
  };
  window.record.refresh();
  await expect.poll(() => answers.length).toBe(1);
  window.record.refresh();
  answers[0]?.();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
});
