import { expect, test } from 'vitest';
import { migrations } from '../storage/migrations.ts';
import { openStorage } from '../storage/storage.ts';
import { fixtureDraft, temporaryFolder, testCore } from '../testing/test-core.ts';

test('a writer that knows an older version gets the newer record and changes nothing', async () => {
  const { core, events } = await testCore();
  const first = core.records.write({ key: 'tab', version: 0, value: { text: 'one' } });
  if (!first.written) throw new Error('not written');
  const second = core.records.write({ key: 'tab', version: first.version, value: { text: 'two' } });
  if (!second.written) throw new Error('not written');
  expect(second.version).toBeGreaterThan(first.version);
  const current = { key: 'tab', version: second.version, value: { text: 'two' } };
  for (const version of [0, first.version]) {
    expect(core.records.write({ key: 'tab', version, value: { text: 'stale' } })).toEqual({
      written: false,
      current,
    });
  }
  expect(core.records.all()).toEqual([current]);
  expect(events.filter(({ type }) => type === 'recordChanged')).toEqual([
    { type: 'recordChanged', key: 'tab', version: first.version },
    { type: 'recordChanged', key: 'tab', version: second.version },
  ]);
});

test('the last write of a closing page wins over its earlier write, in whichever order the two arrive', async () => {
  const [first, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const { core } = await testCore();
  const write = (change: { version?: number; value: string; id?: string; after?: string }) =>
    core.records.write({ key: 'tab', version: 0, ...change }).written;
  expect(write({ value: 'S', id: first })).toBe(true);
  expect(write({ value: 'SELECT 42', after: first })).toBe(true);
  expect(core.records.get('tab')?.value).toBe('SELECT 42');
  expect(write({ value: 'again', after: first })).toBe(false);

  core.records.write({ key: 'tab', version: core.records.get('tab')?.version ?? 0, value: null });
  expect(write({ value: 'SELECT 42', after: first })).toBe(true);
  expect(write({ value: 'S', id: first })).toBe(false);
  expect(core.records.get('tab')?.value).toBe('SELECT 42');

  // Another window wrote in between. Its text must not be overwritten unseen.
  const version = core.records.get('tab')?.version ?? 0;
  expect(write({ version, value: 'mine', id: first })).toBe(true);
  const mine = core.records.get('tab')?.version ?? 0;
  expect(write({ version: mine, value: 'theirs', id: other })).toBe(true);
  expect(write({ version, value: 'mine, typed on', after: first })).toBe(false);
  expect(core.records.get('tab')?.value).toBe('theirs');
});

test('a write with the version of a deleted record is refused, even after the record was created again', async () => {
  const { core } = await testCore();
  const first = core.records.write({ key: 'tab', version: 0, value: 1 });
  const version = first.written ? first.version : 0;
  expect(core.records.write({ key: 'tab', version, value: null })).toEqual({ written: true, version: 0 });
  expect(core.records.write({ key: 'tab', version, value: 2 })).toEqual({ written: false, current: null });
  core.records.write({ key: 'tab', version: 0, value: 3 });
  expect(core.records.write({ key: 'tab', version, value: 2 })).toMatchObject({ written: false });
});

test('records are deleted with their connection, and a later write does not create them again', async () => {
  const { core } = await testCore();
  const { id: connectionId } = await core.connections.create(fixtureDraft);
  const write = (version: number) => core.records.write({ key: 'tab', version, value: 1, connectionId });
  write(0);
  core.records.write({ key: 'layout', version: 0, value: 2 });
  await core.connections.remove(connectionId);
  expect(core.records.all().map(({ key }) => key)).toEqual(['layout']);
  expect(write(0)).toEqual({ written: true, version: 0 });
  expect(core.records.get('tab')).toBeNull();
});

test('a workspace that an earlier version stored in ui_state becomes a window record', () => {
  const home = temporaryFolder();
  const old = openStorage(home, migrations.slice(0, 3));
  old.run("INSERT INTO ui_state (key, value) VALUES ('workspace', '{\"open\":[]}'), ('sample', 'true')");
  old.close();
  const storage = openStorage(home);
  expect(storage.all('SELECT key, value FROM window_records')).toEqual([
    { key: 'workspace', value: '{"open":[]}' },
  ]);
  expect(storage.all('SELECT key FROM ui_state')).toEqual([{ key: 'sample' }]);
  storage.close();
});
