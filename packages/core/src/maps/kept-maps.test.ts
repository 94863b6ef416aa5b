import { expect, test } from 'vitest';
import { createCore } from '../core.ts';
import { fixtureDraft, hostEntry, testCore } from '../testing/test-core.ts';

const megabyte = 1024 ** 2;

async function coreWithConnection() {
  const { core, home } = await testCore();
  const { id: connectionId } = await core.connections.create(fixtureDraft);
  const keep = (key: string, { table = 'planets', size = 4 } = {}) =>
    core.maps.keep({ connectionId, table, key, bytes: new Uint8Array(size).fill(7) });
  return { core, home, connectionId, keep, get: (key: string) => core.maps.get(connectionId, key) };
}

test('a kept map is there after a restart, until rows of its table or the schema change', async () => {
  const { core, home, connectionId, keep } = await coreWithConnection();
  keep('one');
  keep('other', { table: 'moons' });
  await core.close();
  const again = await createCore({ home, hostEntry, bundledDrivers: [], secretStore: 'file' });
  expect(again.maps.get(connectionId, 'one')).toEqual(Uint8Array.of(7, 7, 7, 7));
  again.events.emit({ type: 'rowsChanged', connectionId, table: 'Planets' });
  expect(again.maps.get(connectionId, 'one')).toBeNull();
  expect(again.maps.use()).toEqual({ maps: 1, bytes: 4 });
  again.events.emit({ type: 'schemaChanged', connectionId });
  expect(again.maps.use()).toEqual({ maps: 0, bytes: 0 });
  await again.close();
});

test('the least recently used map is dropped to make room, and a map that is too large is not kept', async () => {
  const { core, keep, get } = await coreWithConnection();
  core.settings.update({ mapsMegabytes: 10 });
  expect(keep('a', { size: 4 * megabyte })).toBe(true);
  expect(keep('b', { size: 4 * megabyte })).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 5));
  get('a');
  expect(keep('c', { size: 4 * megabyte })).toBe(true);
  expect(['a', 'b', 'c'].filter((key) => get(key) !== null)).toEqual(['a', 'c']);
  expect(keep('d', { size: 6 * megabyte })).toBe(false);
  expect(get('d')).toBeNull();
  core.settings.update({ mapsMegabytes: 5 });
  expect(core.maps.use().maps).toBe(1);
});

test('removing a connection removes its maps, and clearing removes all maps', async () => {
  const { core, connectionId, keep } = await coreWithConnection();
  keep('one');
  await core.connections.remove(connectionId);
  expect(core.maps.use().maps).toBe(0);
  expect(keep('late')).toBe(false);
  const other = await core.connections.create(fixtureDraft);
  core.maps.keep({ connectionId: other.id, table: 't', key: 'k', bytes: new Uint8Array(3) });
  core.maps.clear();
  expect(core.maps.use()).toEqual({ maps: 0, bytes: 0 });
});
