import type { ChangeOutcome, Insert } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { openFixed, Refusal } from './testing/fixed-server.ts';

const schema = () => ({
  classes: [{ class: 'Place', properties: [{ name: 'name', dataType: ['text'] }] }],
});

interface Batched {
  id: string;
}

/** An import into a server that stores no object. It reports each object as failed, with the message `words(id)`. */
async function imported({ words, onLook = () => {} }: { words(id: string): string; onLook?(): void }) {
  const controller = new AbortController();
  const looks: number[] = [];
  let isSent = false;
  const { session } = await openFixed(schema, ({ method, url, body }) => {
    if (url === '/v1/batch/objects') {
      isSent = true;
      const { objects } = JSON.parse(body) as { objects: Batched[] };
      return objects.map(({ id }) => ({
        result: { status: 'FAILED', errors: { error: [{ message: words(id) }] } },
      }));
    }
    if (method === 'GET' && url.startsWith('/v1/objects?')) return { objects: [] };
    if (method === 'GET') return new Refusal(404, '');
    if (isSent) {
      looks.push((body.match(/-4000-8000-/g) ?? []).length);
      onLook();
    }
    return { data: { Get: { Place: [] } } };
  });
  const changes = Array.from({ length: 20 }, (_, at): Insert => {
    const uuid = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    return { kind: 'insert', id: String(at), values: { uuid } };
  });
  const start = () => session.importRows!({ table: 'Place', changes, rowTimeoutMs: 9_000 }, controller);
  const outcomes: ChangeOutcome[] = [];
  return {
    looks,
    controller,
    outcomes,
    async run() {
      for await (const report of start()) outcomes.push(...report.outcomes);
    },
  };
}

const statuses = (outcomes: ChangeOutcome[]) => [...new Set(outcomes.map(({ status }) => status))];

test('objects whose errors differ are looked for together, and each keeps its own error', async () => {
  const words = (id: string) => `shard x: update vector index: insert doc of ${id}`;
  const { run, looks, outcomes } = await imported({ words });
  await run();
  expect(statuses(outcomes)).toEqual(['failed']);
  expect(new Set(outcomes.map(({ error }) => error?.message)).size).toBe(20);
  expect(new Set(looks)).toEqual(new Set([20]));
  expect(looks.length).toBeLessThanOrEqual(3);
});

test('a cancelled import does not wait for the next lookup', async () => {
  const words = () => 'put object: context canceled';
  const started = await imported({ words, onLook: () => started.controller.abort() });
  await started.run();
  expect(started.looks).toEqual([20]);
  expect(statuses(started.outcomes)).toEqual(['unknown']);
  expect(started.outcomes.every(({ key }) => key !== undefined)).toBe(true);
});
