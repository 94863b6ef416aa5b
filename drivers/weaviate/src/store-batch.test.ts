import type { Insert } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { type Asked, call, openFixed, Refusal } from './testing/fixed-server.ts';

const schema = () => ({
  classes: [{ class: 'Place', properties: [{ name: 'name', dataType: ['text'] }] }],
});

/** Refuses a whole request because of one bad object, as a server does that cannot parse it. */
function store({ url, body }: Asked) {
  if (url !== '/v1/batch/objects') return { data: { Get: { Place: [] } } };
  const { objects } = JSON.parse(body) as { objects: { properties: { name: string } }[] };
  const isBad = objects.some(({ properties }) => properties.name === 'bad');
  if (isBad) return new Refusal(422, { error: [{ message: 'cannot be read' }] });
  return objects.map(() => ({ result: { status: 'SUCCESS' } }));
}

async function brought(names: string[]) {
  const { session, asked } = await openFixed(schema, store);
  const changes = names.map((name, id): Insert => ({ kind: 'insert', id: String(id), values: { name } }));
  const statuses = new Map<string, string>();
  for await (const { outcomes } of session.importRows!(
    { table: 'Place', changes, rowTimeoutMs: 9_000 },
    call,
  ))
    for (const { id, status } of outcomes) statuses.set(id, status);
  return { statuses: changes.map(({ id }) => statuses.get(id)), asked };
}

const times = (count: number, name: string) => Array.from({ length: count }, () => name);

test('rows are stored even if all rows before them in the request are refused', async () => {
  const { statuses } = await brought([...times(4, 'bad'), ...times(4, 'good')]);
  expect(statuses).toEqual([...times(4, 'failed'), ...times(4, 'applied')]);
});

test('one row that is refused fails alone', async () => {
  const { statuses } = await brought(['good', 'good', 'bad', 'good', 'good']);
  expect(statuses).toEqual(['applied', 'applied', 'failed', 'applied', 'applied']);
});

test('if every row is refused, the server is not asked for each of them', async () => {
  const { statuses, asked } = await brought(times(64, 'bad'));
  expect(new Set(statuses)).toEqual(new Set(['failed']));
  expect(asked.length).toBeLessThan(20);
});
