import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type AppError, type Core, newConnectionDraft } from '@trestle/core';
import { type Change, rowAt, type Session } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import type { WeaviateServer } from '../../scripts/weaviate/server.ts';
import { startHttpProxy } from '../faults/http-proxy.ts';
import { openCore } from '../faults/neighbours.ts';
import { countEach, tally } from '../faults/tally.ts';
import { connect, describeOnWeaviate, rest } from './servers.ts';
import { startCluster } from './three-nodes.ts';

/*
 * One of three nodes is killed and comes back while the app browses, saves and exports through it and through another
 * node. `npm run proofs` kills the node 10 times.
 */
const kills = Number(process.env.TRESTLE_NODE_KILLS ?? 1);
const readRows = 600;
const signal = new AbortController().signal;

describeOnWeaviate('a cluster of three nodes', ({ binary, version }) => {
  test.runIf(version === '1.39.0')(
    `no saved row is lost and no export repeats a row when a node is killed and restarted (${kills} kills)`,
    {
      timeout: 240_000 + kills * 120_000,
    },
    async () => {
      const nodes = await startCluster(binary);
      onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
      const [survivor, victim] = [nodes[0]!, nodes[1]!];
      await createTables(survivor);
      const { core, connections } = await openConnections(survivor, victim);
      const first = await connect(survivor.port);
      onTestFinished(() => first.close());
      expect(await consistencyOf(first, 'ALL')).toEqual([true]);
      for (let round = 0; round < kills; round++) {
        const work = Object.entries(connections).map(([through, connectionId]) =>
          beginWork(core, { connectionId, through }),
        );
        await delay(300 + Math.random() * 700);
        await victim.kill();
        // Over Connect, the level says how many nodes must agree on an object. The answer says whether they do.
        expect(await consistencyOf(first, 'QUORUM')).toEqual([true]);
        expect(await consistencyOf(first, 'ALL')).toEqual([false]);
        tally('kills of a cluster node', 1);
        // Each kind of work is tried at least once more while the node is away.
        await Promise.all(work.map((one) => one.onceMore()));
        await victim.restart();
        // The node answers again, but may not have read its data yet.
        const lost = work.flatMap((one) => one.saved.unknown.slice());
        await expectSettled(core, { connectionId: connections['killed node'], nodes, lost });
        await Promise.all(work.map((one) => one.onceMore()));
        const outcomes = await Promise.all(work.map((one) => one.end()));
        for (const [index, { saved, said, done }] of outcomes.entries()) {
          const name = Object.keys(connections)[index]!;
          console.log(
            `kill ${round + 1}, through the ${name}: ${JSON.stringify(done)}\n  ${countEach(said) || 'nothing failed'}`,
          );
          await expectStored(nodes, saved);
        }
        // Both connections work again without the user's help.
        for (const connectionId of Object.values(connections)) {
          await expect.poll(() => tryExport(core, connectionId), { timeout: 120_000 }).toBe(readRows);
        }
      }
    },
  );
});

/** One connection to each of the two nodes. The proxy changes nothing, but `openCore` needs one. */
async function openConnections(survivor: WeaviateServer, victim: WeaviateServer) {
  const proxy = await startHttpProxy(survivor.port);
  onTestFinished(() => proxy.close());
  const { core, connectionId } = await openCore(proxy);
  const draft = newConnectionDraft(core.drivers.get('weaviate')!);
  const fields = { ...draft.fields, host: '127.0.0.1', port: victim.port };
  const { id } = await core.connections.create({ ...draft, name: 'Killed node', fields });
  core.settings.update({ statementTimeoutSeconds: 15 });
  return { core, connections: { 'node that stays': connectionId, 'killed node': id } };
}

/** Whether the nodes agree on an object, by a query that is translated. Null if the server did not compare them. */
async function consistencyOf(session: Session, level: string): Promise<unknown[]> {
  const text = `{ Get { Read(limit: 1, consistencyLevel: ${level}) { ordinal _additional { isConsistent } } } }`;
  const { results, sent } = await session.run({ text, ceiling: 'read', limit: 1 }, { signal });
  expect(sent?.words).toBe('Translated, and sent over Connect');
  return results.map((result) => result.kind === 'rows' && rowAt(result.rows, 0).isConsistent);
}

interface Saved {
  applied: string[];
  failed: string[];
  unknown: string[];
}

/** Browses, saves and exports again and again, and records the messages and the outcomes of saved rows. */
function beginWork(core: Core, { connectionId, through }: { connectionId: string; through: string }) {
  const at = { caller: { kind: 'person' as const }, connectionId, signal };
  const saved: Saved = { applied: [], failed: [], unknown: [] };
  const said: string[] = [];
  const done = { browse: 0, save: 0, export: 0 };
  const tries = { browse: 0, save: 0, export: 0 };
  let isOver = false;
  const kinds = {
    browse: async () => {
      const page = { table: 'Read', filters: [], match: 'all' as const, sort: [], limit: 100, offset: 0 };
      expect((await core.data.browse(at, page)).rows.rowCount).toBe(100);
    },
    save: async () => {
      const changes = Array.from({ length: 10 }, (): Change => {
        const uuid = randomUUID();
        return { kind: 'insert', id: uuid, values: { uuid, ordinal: 1 } };
      });
      for await (const { outcomes } of core.data.applyChanges(at, { table: 'Saved', changes })) {
        for (const { id, status, error } of outcomes) {
          if (status !== 'skipped' && status !== 'conflict') saved[status].push(id);
          if (error) said.push(`save, ${status}: ${plain(error.message)}`);
        }
      }
    },
    export: async () => {
      expect(await exportOnce(core, connectionId)).toBe(readRows);
    },
  };
  const loops = Object.entries(kinds).map(async ([kind, work]) => {
    const name = kind as keyof typeof kinds;
    while (!isOver) {
      await work().then(
        () => done[name]++,
        (error: AppError) => {
          if (error.code === undefined) throw error;
          said.push(`${kind}: ${plain(error.message)}${error.hint ? ` ${error.hint}` : ''}`);
        },
      );
      tries[name]++;
      await delay(50);
    }
  });
  const all = Promise.all(loops);
  all.catch(() => {});
  return {
    saved,
    /** Waits until each kind of work has begun and ended once more. */
    async onceMore() {
      const before = { ...tries };
      const late = () =>
        Object.entries(tries)
          .filter(([kind, count]) => count < before[kind as 'save'] + 2)
          .map(([kind]) => `${kind} through the ${through}`);
      await Promise.race([all, expect.poll(late, { timeout: 120_000 }).toEqual([])]);
    },
    async end() {
      isOver = true;
      await all;
      return { saved, said, done };
    },
  };
}

async function exportOnce(core: Core, connectionId: string): Promise<number> {
  const at = { caller: { kind: 'person' as const }, connectionId, signal };
  const request = { table: 'Read', columns: ['ordinal'], filters: [], match: 'all' as const, sort: [] };
  const seen = new Set<number>();
  let count = 0;
  for await (const rows of core.data.exportRows(at, request)) {
    count += rows.rowCount;
    for (let row = 0; row < rows.rowCount; row++) seen.add(Number(rowAt(rows, row).ordinal));
  }
  expect(seen.size).toBe(count);
  return count;
}

async function tryExport(core: Core, connectionId: string): Promise<number> {
  return exportOnce(core, connectionId).catch(() => -1);
}

/** Settles the rows of unknown outcome through the node that has just come back. No outcome may be wrong. */
async function expectSettled(
  core: Core,
  { connectionId, nodes, lost }: { connectionId: string; nodes: WeaviateServer[]; lost: string[] },
): Promise<void> {
  const at = { caller: { kind: 'person' as const }, connectionId, signal };
  const changes = lost.map((uuid): Change => ({ kind: 'insert', id: uuid, values: { uuid, ordinal: 1 } }));
  const outcomes = await core.data.settleChanges(at, { table: 'Saved', changes }).catch(() => []);
  const idsOf = (wanted: string) => outcomes.filter(({ status }) => status === wanted).map(({ id }) => id);
  const settled = { applied: idsOf('applied'), failed: idsOf('failed'), unknown: idsOf('unknown') };
  console.log(
    `outcomes after settling through the restarted node: ${countEach(outcomes.map(({ status }) => status))}`,
  );
  await expectStored(nodes, settled);
}

/** Whether a read with consistency level QUORUM finds the row. */
async function isStored(port: number, id: string): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await rest(port, 'GET', `/objects/Saved/${id}?consistency_level=QUORUM`)) !== null;
    } catch (error) {
      // A node that has just come back may not reach the other nodes yet.
      if (attempt === 40) throw error;
      await delay(250);
    }
  }
}

/** Each node must find the applied rows. The first node must not find a failed row. */
async function expectStored(nodes: WeaviateServer[], { applied, failed }: Saved): Promise<void> {
  for (const { port } of nodes) {
    const found = await Promise.all(applied.map(async (id) => [id, await isStored(port, id)] as const));
    expect(found.filter(([, there]) => !there)).toEqual([]);
  }
  const doubtful = await Promise.all(
    failed.map(async (id) => [id, await isStored(nodes[0]!.port, id)] as const),
  );
  expect(doubtful.filter(([, there]) => there)).toEqual([]);
}

async function createTables({ port }: WeaviateServer): Promise<void> {
  for (const name of ['Read', 'Saved']) {
    await rest(port, 'POST', '/schema', {
      class: name,
      vectorizer: 'none',
      replicationConfig: { factor: 3 },
      properties: [{ name: 'ordinal', dataType: ['int'] }],
    });
  }
  const objects = Array.from({ length: readRows }, (_, ordinal) => ({
    class: 'Read',
    properties: { ordinal },
  }));
  await rest(port, 'POST', '/batch/objects?consistency_level=ALL', { objects });
}

function plain(message: string): string {
  return message
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UUID')
    .replaceAll(/:\d{4,5}/g, ':PORT')
    .slice(0, 220);
}
