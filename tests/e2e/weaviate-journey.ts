import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { cachedServer } from '../../scripts/weaviate/cache.ts';
import { startInference } from '../../scripts/weaviate/inference.ts';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';
import { importConnections } from './app.ts';
import { press } from './browser.ts';
import { type Journey, journey, sharedJourney } from './journey.ts';

const version = '1.39.0';
const binary = cachedServer(version);
const needsServer = binary ? '' : ` (needs Weaviate ${version}: npm run weaviate -- --fill-cache gets it)`;

export const apiKey = 'key-of-the-journey';

export const missions = [
  { title: 'Apollo 11', note: 'The first crewed landing on the Moon, by rocket.', year: 1969, crewed: true },
  { title: 'Voyager 1', note: 'A probe that left the planets behind.', year: 1977, crewed: false },
  { title: 'Hubble', note: 'A telescope in orbit around Earth.', year: 1990, crewed: false },
  { title: 'Violin', note: 'Four strings and a bow, in the orchestra.', year: 1550, crewed: false },
  { title: 'Honey bee', note: 'Lives in hives and stores nectar of flowers.', year: 1758, crewed: false },
];

export function uuidOf(index: number): string {
  return `33333333-3333-4333-8333-${String(index).padStart(12, '0')}`;
}

/** A real server with an API key and nearText. Like a new hosted cluster, it has no GraphQL. */
const withServer = test.extend<{ server: WeaviateServer | null }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads here which fixtures this one needs
    async ({}, use) => {
      if (!binary) return use(null);
      const inference = await startInference();
      const environment = { DISABLE_GRAPHQL: 'true' };
      const server = await startWeaviate({ binary, apiKey, inferenceUrl: inference.url, environment });
      await use(server);
      await server.stop();
      await inference.close();
    },
    { scope: 'worker' },
  ],
});

/**
 * The real server of this worker, which has only the collections Missions and Notes when a file begins. A server for
 * each file would take a tenth of the file's time.
 */
export function useWeaviate(): { readonly port: number; rest: Rest } {
  let server: WeaviateServer | null = null;
  const rest: Rest = async (method, path, body) => {
    // When a test is retried, the collection of the first try still exists.
    if (method === 'POST' && path === '/schema') {
      await rest('DELETE', `/schema/${(body as { class: string }).class}`);
    }
    const answer = await fetch(`${server!.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  };
  withServer.beforeAll(async ({ server: ofWorker }) => {
    server = ofWorker;
    if (server) await seed(rest);
  });
  return {
    get port() {
      return server!.port;
    },
    rest,
  };
}

/** The members of an answer that the journeys use. */
interface Answer {
  id: string;
  properties: Record<string, unknown>;
  vector?: number[];
  objects: Answer[];
}

export type Rest = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** A journey that needs the server. Without the server, the journey is skipped, and its name says what is missing. */
export const weaviateJourney = needingServer(journey);

/** A `sharedJourney` that needs the server. */
export const sharedWeaviateJourney = needingServer(sharedJourney);

function needingServer<Run extends (name: string, ...rest: never[]) => void>(run: Run): Run {
  if (binary) return run;
  return ((name: string) => test.skipIf(true)(`${name}${needsServer}`, () => {})) as Run;
}

/** Adds a connection, and opens its collections from the welcome screen. */
export async function openCluster({ app, page }: Journey, port: number): Promise<void> {
  const fields = { host: '127.0.0.1', port, authMethod: 'apiKey', apiKey, sslMode: 'disabled' };
  await importConnections(app, [{ name: 'Cluster', driver: 'weaviate', fields }]);
  await press(page.getByRole('button', { name: /^Cluster/ }));
  await collection(page, 'Missions').waitFor();
}

/** Waits until the first collection has the focus. */
export async function focusFirstCollection(page: Page): Promise<void> {
  const first = collection(page, 'Missions');
  await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true);
}

export function collection(page: Page, name: string) {
  return page.getByRole('button', { name: `Collection ${name}`, exact: true });
}

async function seed(rest: Rest): Promise<void> {
  const { classes } = (await rest('GET', '/schema')) as unknown as { classes: { class: string }[] };
  for (const { class: name } of classes) await rest('DELETE', `/schema/${name}`);
  const text = (name: string) => ({ name, dataType: ['text'] });
  await rest('POST', '/schema', {
    class: 'Missions',
    vectorizer: 'text2vec-transformers',
    properties: [
      text('title'),
      text('note'),
      { name: 'year', dataType: ['int'] },
      { name: 'crewed', dataType: ['boolean'] },
    ],
  });
  await rest('POST', '/schema', {
    class: 'Notes',
    vectorizer: 'none',
    multiTenancyConfig: { enabled: true },
    properties: [text('title')],
  });
  await rest('POST', '/schema/Notes/tenants', [{ name: 'acme' }, { name: 'zeta', activityStatus: 'COLD' }]);
  await rest('POST', '/objects', { class: 'Notes', tenant: 'acme', properties: { title: 'Only of acme' } });
  for (const [index, properties] of missions.entries()) {
    await rest('POST', '/objects', { class: 'Missions', id: uuidOf(index), properties });
  }
}
