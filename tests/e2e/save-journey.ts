import { randomUUID } from 'node:crypto';
import type { Step } from '@trestle/core/staged-edits';
import { startVectorNode } from '@trestle/vector-node';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { cachedServer } from '../../scripts/weaviate/cache.ts';
import { startWeaviate } from '../../scripts/weaviate/server.ts';
import { type Fate, type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { openWindow } from '../faults/window-client.ts';
import { importConnections, type TestApp } from './app.ts';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import type { Journey } from './journey.ts';

export type Things = Awaited<ReturnType<typeof startThings>>;

/** Creates an empty collection on a server behind a proxy, which can delay and cut single requests. */
export async function startThings() {
  const node = await startNode();
  const proxy = await startHttpProxy(node.port);
  onTestFinished(async () => {
    await proxy.close();
    await node.stop();
  });
  const rest = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${node.url}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const properties = [{ name: 'title', dataType: ['text'] }];
  await rest('POST', '/schema', { class: 'Thing', vectorizer: 'none', properties });
  return {
    proxy,
    rest,
    /** The titles on the server, asked for without the proxy. */
    async titles(): Promise<string[]> {
      const { objects } = await rest('GET', '/objects?class=Thing&limit=2000');
      return objects.map((object: { properties: { title: string } }) => object.properties.title).sort();
    },
  };
}

/** The sample node, or the real server whose version TRESTLE_SAVE_SERVER names. */
async function startNode() {
  const version = process.env.TRESTLE_SAVE_SERVER;
  if (!version) return startVectorNode({ seed: false });
  const binary = cachedServer(version);
  if (!binary) throw new Error(`Weaviate ${version} is not in the cache: npm run weaviate -- --fill-cache`);
  return startWeaviate({ binary });
}

/** Holds inserts until the test releases or drops them. */
export function holdInserts(proxy: HttpProxy) {
  let held: ((fate: Fate) => void)[] = [];
  let isHolding = true;
  proxy.decide = async ({ method, path }): Promise<Fate> => {
    if (method !== 'POST' || !path.startsWith('/v1/objects') || !isHolding) return 'pass';
    return new Promise((resolve) => held.push(resolve));
  };
  const letGo = (fate: Fate) => {
    isHolding = false;
    for (const end of held) end(fate);
    held = [];
  };
  return {
    get waiting(): number {
      return held.length;
    },
    /** Releases this many inserts. */
    release(count: number): void {
      for (const pass of held.splice(0, count)) pass('pass');
    },
    open: () => letGo('pass'),
    /** The held inserts never arrive. Later inserts pass. */
    drop: () => letGo('hang'),
  };
}

/** Adds the connection, stages new rows like another window, and opens the table. */
export async function openThings({ app, page }: Journey, { proxy }: Things, titles: NewThing[]) {
  const connectionId = await importCluster(app, proxy.port);
  if (titles.length > 0) await stageInserts(app, connectionId, titles);
  await press(page.getByRole('button', { name: /^Cluster/ }));
  await page.getByRole('button', { name: 'Collection Thing', exact: true }).waitFor();
  return { connectionId, grid: await showThings(page) };
}

export async function showThings(page: Page) {
  const button = page.getByRole('button', { name: 'Collection Thing', exact: true });
  await button.waitFor();
  await press(button);
  const grid = gridOf(page, 'Rows of Thing');
  await page.getByRole('tab', { name: /Thing/ }).waitFor();
  return grid;
}

/** Saves a connection to the Weaviate at this port. */
export async function importCluster(app: TestApp, port: number): Promise<string> {
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
  await importConnections(app, [{ name: 'Cluster', driver: 'weaviate', fields }]);
  const all = (await app.ask('connections.list')) as { id: string; name: string }[];
  return all.find(({ name }) => name === 'Cluster')!.id;
}

/** For a title without a uuid, the driver chooses the uuid. */
export type NewThing = string | { title: string; uuid: string };

/** Stages each row as one step, as a window does. */
export async function stageInserts(app: TestApp, connectionId: string, titles: NewThing[]): Promise<void> {
  const steps = titles.map((thing, at): Step => {
    const id = `step ${at} ${randomUUID()}`;
    const values = typeof thing === 'string' ? { title: thing } : thing;
    return { id, kind: 'insert', row: `new ${at} ${values.title}`, values };
  });
  const window = await openWindow(app);
  const staged = await window.staged(connectionId, { table: 'Thing' });
  await staged.send(...steps.map((step) => ({ kind: 'stage' as const, steps: [step] })));
}

export const titlesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `Thing ${String(at).padStart(4, '0')}`);
