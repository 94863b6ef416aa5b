import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from '../e2e/app.ts';
import { tally } from './tally.ts';
import { openWindow } from './window-client.ts';

/** Set TRESTLE_DAMAGES=100 for a long run. */
const damages = Number(process.env.TRESTLE_DAMAGES ?? 3);

async function begin(): Promise<TestApp> {
  const app = await startApp();
  onTestFinished(() => app.close());
  return app;
}

const asides = (app: TestApp) =>
  readdirSync(app.folder).filter((name) => /^trestle\.db\.damaged-\d{8}T\d{6}Z(-\d+)?$/.test(name));

/** Expects that a window opens, and that the sample can be read if it is still there. */
async function expectWell(app: TestApp): Promise<void> {
  const window = await openWindow(app);
  const sample = await app.sample();
  // The damage may have removed the sample's row.
  if (sample) await window.run(sample.id, 'SELECT count(*) FROM moons');
}

test('a damaged trestle.db is set aside, the window and the status say so, and the app starts', async () => {
  const app = await begin();
  await app.stop();
  const file = join(app.folder, 'trestle.db');
  const garbage = Buffer.from('This is no database, whatever its name says. '.repeat(500));
  writeFileSync(file, garbage);
  await app.start();
  await expectWell(app);
  const [aside, ...others] = asides(app);
  expect(others).toEqual([]);
  expect(readFileSync(join(app.folder, aside!)).equals(garbage)).toBe(true);
  const window = await openWindow(app);
  const said = `trestle.db was damaged. It was set aside as ${aside} in ${app.folder}`;
  expect((await window.call('app.info')).damage).toContain(said);
  expect((await app.run('status')).stdout).toContain(said);

  await app.stop();
  await app.start();
  const later = await openWindow(app);
  expect((await later.call('app.info')).damage).toContain(said);
  await later.call('app.dismissDamage');
  expect((await later.call('app.info')).damage).toBeNull();
  expect(asides(app)).toEqual([aside]);
});

test(`damage at a random place of trestle.db does not keep the app from starting (${damages} times)`, {
  timeout: 120_000 + damages * 20_000,
}, async () => {
  const app = await begin();
  let setAside = 0;
  for (let round = 0; round < damages; round++) {
    await app.stop();
    const file = join(app.folder, 'trestle.db');
    const bytes = readFileSync(file);
    const from = round === 0 ? 0 : Math.floor(Math.random() * bytes.length);
    const length = 1 + Math.floor(Math.random() * 8192);
    for (let at = from; at < Math.min(bytes.length, from + length); at++) {
      bytes[at] = Math.floor(Math.random() * 256);
    }
    writeFileSync(file, round % 3 === 1 ? bytes.subarray(0, from) : bytes);
    const before = asides(app).length;
    await app.start();
    setAside += asides(app).length - before;
    expect((await app.json('status')).state).toBe('running');
    await openWindow(app);
    if (asides(app).length > before) await expectWell(app);
  }
  tally('damages of trestle.db', damages);
  console.log(
    `${damages} damages: ${setAside} files set aside, ${damages - setAside} starts on the damaged file`,
  );
});

test('only the damaged entries of trestle.db are set aside, and the app names them', async () => {
  const app = await begin();
  const window = await openWindow(app);
  await window.call('settings.update', { pageSize: 500, theme: 'dark' });
  await window.call('records.write', { key: 'layout', version: 0, value: { wide: true } });
  await window.call('records.write', { key: 'other', version: 0, value: { kept: true } });
  const { id } = await app.sample();
  await app.stop();
  const database = new DatabaseSync(join(app.folder, 'trestle.db'));
  database.exec(`
    UPDATE settings SET value = '7' || char(0) WHERE key = 'pageSize';
    UPDATE window_records SET value = '{"wide":' WHERE key = 'layout';
    UPDATE connections SET masking = 'nothing' WHERE id = '${id}';
  `);
  database.close();
  await app.start();
  const again = await openWindow(app);
  const { damage } = await again.call('app.info');
  expect(damage).toBe(
    'Damaged entries of trestle.db were set aside: setting pageSize, window record layout, connection Sample: SQLite. Check these, and restore what is missing.',
  );
  expect(await again.call('settings.get')).toMatchObject({ pageSize: 200, theme: 'dark' });
  const records = (await again.call('records.all')) as { key: string; value: unknown }[];
  expect(records.map(({ key }) => key)).toEqual(['other']);
  const list = (await app.json('connections', 'list')) as { id: string; externalClients: string }[];
  expect(list.find((one) => one.id === id)).toMatchObject({ externalClients: 'blocked' });
  await expectWell(app);
  // A window can write the layout again.
  const written = await again.call('records.write', { key: 'layout', version: 0, value: { wide: false } });
  expect(written.written).toBe(true);
  expect(asides(app)).toEqual([]);
  tally('damaged entries', 3);
});

test.each(['mcp-handshake.json', 'instance.lock', 'control-secret', 'secrets.json', 'secrets.key'])(
  'a damaged %s does not keep the app from starting',
  async (name) => {
    const app = await begin();
    await app.kill();
    const file = join(app.folder, name);
    if (!existsSync(file) && name.startsWith('secrets')) return;
    writeFileSync(file, Buffer.from('\u0000{ not this "'.repeat(400)), { mode: 0o600 });
    await app.start();
    await expectWell(app);
    if (name === 'mcp-handshake.json') expect(JSON.parse(readFileSync(file, 'utf8')).state).toBe('running');
    if (name === 'instance.lock') expect(statSync(file).size).toBe(0);
    tally('damaged files', 1);
  },
);
