import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startWeaviate } from '../../scripts/weaviate/server.ts';
import { driverHosts, startApp, type TestApp } from '../e2e/app.ts';
import { countEach, tally } from '../faults/tally.ts';
import { openWindow } from '../faults/window-client.ts';
import { BridgedRows } from './bridged-rows.ts';
import { describeOnWeaviate, rest } from './servers.ts';
import { StagedRows } from './staged-rows.ts';

/*
 * A window saves, the command line exports, and a client inserts through the bridge. At a random moment the test kills
 * the app, its driver hosts, the bridge or Weaviate. `npm run proofs` kills 200 times.
 */
const kills = Number(process.env.TRESTLE_PART_KILLS ?? 4);
const savedRows = 150;
const exportedRows = 2_000;

describeOnWeaviate('killed parts', ({ binary, version }) => {
  test.runIf(version === '1.39.0')(
    `no saved row is lost, and no row is stored twice (${kills} kills)`,
    {
      timeout: 180_000 + kills * 60_000,
    },
    async () => {
      const server = await startWeaviate({ binary });
      onTestFinished(() => server.stop());
      const app = await startApp();
      onTestFinished(() => app.close());
      const connectionId = await connect(app, server.port);
      await createTable(server.port, 'Exported', exportedRows);
      const bridged = new BridgedRows(app.folder, 'Bridged');
      onTestFinished(() => bridged.close());
      await createTable(server.port, 'Bridged', 0);
      const messages: string[] = [];

      const victims = {
        app: async () => {
          process.kill((await app.json('status')).pid, 'SIGKILL');
          await app.kill();
          await app.start();
        },
        driver: async () => {
          // The pid is read from the status, because a bridge may have started the app that runs now.
          for (const host of driverHosts((await app.json('status')).pid)) process.kill(host, 'SIGKILL');
        },
        bridge: async () => bridged.kill(),
        Weaviate: async () => {
          await server.kill();
          await server.restart();
        },
      };
      for (let round = 0; round < kills; round++) {
        const [name, kill] = Object.entries(victims)[round % 4]!;
        const table = `Round${round}`;
        await createTable(server.port, table, 0);
        const staged = new StagedRows({ connectionId, table }, savedRows);
        const window = await openWindow(app);
        const saving = staged.save(window).catch((error: Error) => error.message);
        const exporting = exportOnce(app, `export-${round}.jsonl`);
        const inserting = bridged.insert(20);
        await delay(Math.random() * 600);
        await kill();
        tally(`kills of the ${name}`, 1);
        for (const said of await Promise.all([saving, exporting, inserting])) {
          if (said) messages.push(`${name}: ${said}`);
        }

        // The user continues: a new window takes over the outcomes and saves the remaining rows.
        const again = await openWindow(app);
        for (let attempt = 0; staged.waiting > 0 && attempt < 20; attempt++) {
          await staged.takeOver(again);
          if (staged.waiting > 0)
            await staged.save(again).catch((error: Error) => messages.push(error.message));
        }
        expect([name, round, staged.waiting]).toEqual([name, round, 0]);
        expect(await exportOnce(app, 'whole.jsonl')).toBeUndefined();
        expectOnce(
          { name, applied: staged.applied, unknown: staged.unknown },
          await stored(server.port, table),
        );
        await rest(server.port, 'DELETE', `/schema/${table}`);
      }
      expectOnce({ name: 'bridge', ...bridged }, await stored(server.port, 'Bridged'));
      console.log(`${kills} kills. Messages:\n  ${countEach(messages.map(plain))}`);
      expect(await app.stop()).toMatchObject({ code: 0, stdout: 'Trestle has stopped.\n' });
    },
  );
});

/** Every row that was reported as stored exists. No row exists twice. Any other existing row has an unknown outcome. */
function expectOnce(
  { name, applied, unknown }: { name: string; applied: Set<number>; unknown: Set<number> },
  found: number[],
): void {
  expect([name, 'twice', found.filter((one, at) => found.indexOf(one) !== at)]).toEqual([name, 'twice', []]);
  expect([name, 'lost', [...applied.difference(new Set(found))]]).toEqual([name, 'lost', []]);
  const strange = found.filter((one) => !applied.has(one) && !unknown.has(one));
  expect([name, 'strange', strange]).toEqual([name, 'strange', []]);
}

/** Undefined for a complete file, otherwise the error. A file reported as complete must be complete. */
async function exportOnce(app: TestApp, name: string): Promise<string | undefined> {
  const file = join(app.folder, name);
  rmSync(file, { force: true });
  const { code, stderr } = await app.run('export', 'Cluster', 'Exported', '--out', file);
  if (code !== 0) return stderr.trim() || `export ended with ${code}`;
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const ordinals = new Set(lines.map((line) => JSON.parse(line).ordinal as number));
  expect([lines.length, ordinals.size]).toEqual([exportedRows, exportedRows]);
  return undefined;
}

async function connect(app: TestApp, port: number): Promise<string> {
  const file = join(app.folder, 'cluster.json');
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
  const access = { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' };
  writeFileSync(
    file,
    JSON.stringify({ connections: [{ name: 'Cluster', driver: 'weaviate', fields, ...access }] }),
  );
  const { code, stderr } = await app.run('connections', 'import', file);
  if (code !== 0) throw new Error(stderr);
  const all = (await app.json('connections', 'list')) as { id: string; name: string }[];
  return all.find(({ name }) => name === 'Cluster')!.id;
}

async function createTable(port: number, table: string, rows: number): Promise<void> {
  const properties = [{ name: 'ordinal', dataType: ['int'] }];
  await rest(port, 'POST', '/schema', { class: table, vectorizer: 'none', properties });
  for (let first = 0; first < rows; first += 500) {
    const objects = Array.from({ length: Math.min(500, rows - first) }, (_, at) => ({
      class: table,
      properties: { ordinal: first + at },
    }));
    await rest(port, 'POST', '/batch/objects', { objects });
  }
}

async function stored(port: number, table: string): Promise<number[]> {
  const { objects } = (await rest(port, 'GET', `/objects?class=${table}&limit=10000`)) as {
    objects: { properties: { ordinal: number } }[];
  };
  return objects.map(({ properties }) => properties.ordinal);
}

function plain(message: string): string {
  return message
    .replaceAll(/\d{4,}/g, 'N')
    .replaceAll(/rows? [\d, -]+/g, 'rows …')
    .slice(0, 200);
}
