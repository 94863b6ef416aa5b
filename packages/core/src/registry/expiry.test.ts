import { expect, onTestFinished, test, vi } from 'vitest';
import { accessTo, fixtureDraft, testCore } from '../testing/test-core.ts';
import { newKey, publish, servedRegistry } from './testing/served-registry.ts';

const { signal } = new AbortController();
const draft = { ...fixtureDraft, driver: 'plugin' };
const dates = { signedAt: '2026-11-01T00:00:00Z', expiresAt: '2027-01-30T00:00:00Z' };

function setClock(at: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) });
  onTestFinished(() => void vi.useRealTimers());
}

const expired = {
  code: 'refused',
  message: 'The index of the registry expired on 2027-01-30, and the clock of this computer says 2027-02-01',
  hint: expect.stringMatching(/If the clock is wrong, set it\..*What is installed keeps working\.$/),
};

async function withDriver() {
  const registry = await servedRegistry();
  const version = (number: string) => publish({ version: number }, { key: registry.key });
  const other = publish({ id: 'other', name: 'Other' }, { key: registry.key });
  registry.serve([version('1.0.0'), other], { ...dates, sequence: 1 });
  setClock('2026-11-19T00:00:00Z');
  const { core, home } = await testCore({ registry: registry.pinned });
  await core.drivers.refresh({ signal });
  await core.drivers.install('plugin', { signal });
  return { registry, core, home, version, other };
}

test('a mirror that keeps serving an old index is noticed when the index expires', async () => {
  const { registry, core } = await withDriver();
  vi.setSystemTime('2027-02-01T00:00:00Z');
  expect(core.drivers.registry().problem).toEqual(expired);
  await expect(core.drivers.refresh({ signal, force: true })).rejects.toMatchObject(expired);
  await expect(core.drivers.install('other', { signal })).rejects.toMatchObject(expired);
  registry.control.down = true;
  await expect(core.drivers.install('other', { signal })).rejects.toMatchObject(expired);
  expect(core.drivers.listed()).toMatchObject([
    { manifest: { id: 'plugin' }, installed: '1.0.0', isUpdate: false, unavailable: expired.message },
    { manifest: { id: 'other' }, installed: null, unavailable: expired.message },
  ]);
});

test('an installed driver connects after the index has expired, and a new index ends the refusal', async () => {
  const { registry, core, version, other } = await withDriver();
  vi.setSystemTime('2027-02-01T00:00:00Z');
  const { id } = await core.connections.create(draft);
  expect(await core.data.tables(accessTo(id))).toHaveLength(1);
  registry.serve([version('1.1.0'), other], {
    sequence: 2,
    signedAt: '2027-01-31T00:00:00Z',
    expiresAt: '2027-05-01T00:00:00Z',
  });
  await core.drivers.install('other', { signal });
  expect(core.drivers.registry().problem).toBeNull();
  expect(core.drivers.listed()).toMatchObject([{ isUpdate: true }, { installed: '1.0.0' }]);
});

test('after a restart, the stored copy of an expired index still installs nothing', async () => {
  const { registry, core, home } = await withDriver();
  await core.close();
  registry.control.down = true;
  vi.setSystemTime('2027-02-01T00:00:00Z');
  const { core: again } = await testCore({ registry: registry.pinned, home });
  await expect(again.drivers.install('other', { signal })).rejects.toMatchObject(expired);
  expect(again.drivers.list().map(({ id }) => id)).toContain('plugin');
});

test.each([
  ['a longer date under the old signature', { expiresAt: '2099-01-01T00:00:00Z' }],
  ['no date under the old signature', { expiresAt: null }],
])('%s is refused', async (_, changes) => {
  const { registry, core } = await withDriver();
  const file = JSON.parse(String(registry.files.get('index.json')));
  const payload = JSON.stringify({ ...JSON.parse(file.payload), ...changes });
  registry.files.set('index.json', Buffer.from(JSON.stringify({ ...file, payload })));
  await expect(core.drivers.refresh({ signal, force: true })).rejects.toThrow(
    'The signature of the registry’s index is wrong',
  );
});

test.each<[string, object]>([
  ['no expiry', { expiresAt: undefined }],
  ['no time of signing', { signedAt: undefined }],
  ['an expiry that is no date', { expiresAt: 'never' }],
  ['an expiry with another time zone than UTC', { expiresAt: '2099-01-01T00:00:00+14:00' }],
])('an index with %s is refused, even if it is signed', async (_, changes) => {
  const { registry, core, other } = await withDriver();
  registry.serve([other], { ...dates, sequence: 2, ...changes });
  await expect(core.drivers.refresh({ signal, force: true })).rejects.toMatchObject({ code: 'refused' });
  expect(core.drivers.listed()).toHaveLength(2);
});

test('a clock far in the past is named as the cause, and a clock that is some hours late is accepted', async () => {
  const { registry, core, other } = await withDriver();
  registry.serve([other], { ...dates, sequence: 2, signedAt: '2026-11-19T20:00:00Z' });
  await core.drivers.refresh({ signal, force: true });
  vi.setSystemTime('2020-01-01T00:00:00Z');
  const wrong = {
    code: 'refused',
    message:
      'The index of the registry was signed on 2026-11-19, and the clock of this computer says 2020-01-01',
    hint: 'Set the clock of this computer, and try again. What is installed keeps working.',
  };
  expect(core.drivers.registry().problem).toEqual(wrong);
  await expect(core.drivers.install('other', { signal })).rejects.toMatchObject(wrong);
});

test('an index that never expires is accepted ten years later', async () => {
  const { registry, core, other } = await withDriver();
  registry.serve([other], { ...dates, sequence: 2, expiresAt: null });
  vi.setSystemTime('2036-11-19T00:00:00Z');
  await core.drivers.install('other', { signal });
});

test('an expired index by another publisher does not replace the newest index', async () => {
  const { registry, core } = await withDriver();
  const foreign = publish({ id: 'foreign', name: 'Foreign' }, { key: newKey() });
  registry.serve([foreign], {
    sequence: 9,
    signedAt: '2026-01-01T00:00:00Z',
    expiresAt: '2026-04-01T00:00:00Z',
  });
  await expect(core.drivers.refresh({ signal, force: true })).rejects.toThrow('expired on 2026-04-01');
  expect(core.drivers.listed().map(({ manifest }) => manifest.id)).toEqual(['plugin', 'other']);
});
