import type { RunOutcome, Session } from '@trestle/driver-kit';
import { rowAt } from '@trestle/driver-kit';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { refused, translated } from '../../drivers/weaviate/src/testing/graphql-queries.ts';
import { startInference } from '../../scripts/weaviate/inference.ts';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';

import { makeWorld } from './graphql-world.ts';
import { call, connect } from './servers.ts';

const server = inject('weaviateServers').find(({ version }) => version === '1.39.0');

/** The answers of each query, in the order of `translated`. */
type Answers = RunOutcome[];

/** Computed numbers: Connect sends some of them as float32, and GraphQL as float64. Scores are texts in both. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(6));
  if (typeof value === 'string' && /^-?\d+\.\d+(e-?\d+)?$/.test(value)) return rounded(Number(value));
  if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array, rounded);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}

function shown({ results, messages }: RunOutcome) {
  const parts = results.map((result) => {
    if (result.kind !== 'rows') return result;
    const { rowCount, columns } = result.rows;
    const rows = Array.from({ length: rowCount }, (_, at) => rowAt(result.rows, at));
    return { title: result.title, columns, rows: rows.map(rounded) };
  });
  return { results: rounded(parts), messages };
}

async function answersOf(session: Session, outbound: 'user' | []): Promise<Answers> {
  const answers: Answers = [];
  for (const { query, variables } of translated) {
    const text = variables === undefined ? query : `POST /graphql ${JSON.stringify({ query, variables })}`;
    answers.push(await session.run({ text, ceiling: 'read', limit: 1000, outbound }, call));
  }
  return answers;
}

describe.skipIf(!server)('GraphQL texts on Weaviate 1.39.0', () => {
  let running: WeaviateServer;
  let inference: Awaited<ReturnType<typeof startInference>>;
  let session: Session;
  let asWritten: Answers;
  let ofClient: Answers;
  let refusedWithGraphql: unknown[];
  let withoutGraphql: Answers;

  beforeAll(async () => {
    inference = await startInference();
    const environment = { ENABLE_MODULES: 'text2vec-transformers,generative-dummy,reranker-dummy' };
    running = await startWeaviate({ binary: server!.binary, inferenceUrl: inference.url, environment });
    await makeWorld(running.port);
    session = await connect(running.port);
    asWritten = await answersOf(session, 'user');
    ofClient = await answersOf(session, []);
    refusedWithGraphql = await Promise.all(
      refused.map(({ query }) =>
        session.run({ text: query, ceiling: 'read', limit: 10 }, call).then(
          ({ sent }) => sent?.words,
          () => 'Sent as GraphQL',
        ),
      ),
    );
    // The same data, with the same uuids and times.
    await running.restart({ environment: { ...environment, DISABLE_GRAPHQL: 'true' } });
    withoutGraphql = await answersOf(session, 'user');
  }, 180_000);

  afterAll(async () => {
    await session?.close();
    await running?.stop();
    await inference?.close();
  });

  test.each(translated.map(({ query }, at) => [query, at] as const))(
    'without GraphQL, the answer is the same: %s',
    (_, at) => {
      expect(asWritten[at]!.messages).toEqual([]);
      expect(shown(withoutGraphql[at]!)).toEqual(shown(asWritten[at]!));
    },
  );

  test("a person's text goes out as written, and a client's is translated where the server has Connect", () => {
    expect(new Set(asWritten.map(({ sent }) => sent?.words))).toEqual(new Set(['Sent as GraphQL']));
    for (const [at, { sent }] of ofClient.entries()) {
      expect(sent?.words).toMatch(/^Translated, and sent over Connect/);
      expect(shown(ofClient[at]!)).toEqual(shown(asWritten[at]!));
    }
    for (const { sent } of withoutGraphql) expect(sent?.words).toMatch(/^Translated, and sent over Connect/);
  });

  test("a client's query that has no translation goes to GraphQL if the server has it", () => {
    expect(refusedWithGraphql).toEqual(refused.map(() => 'Sent as GraphQL'));
  });

  test.each(refused)('without GraphQL, $query is refused by name', async ({ query, named }) => {
    for (const outbound of ['user', []] as const) {
      const run = session.run({ text: query, ceiling: 'read', limit: 10, outbound }, call);
      await expect(run).rejects.toMatchObject({ message: expect.stringContaining(named) });
    }
  });
});
