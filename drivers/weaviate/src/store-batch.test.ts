import { Readable } from 'node:stream';
import type { Insert } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { type Asked, call, openFixed, Refusal } from './testing/fixed-server.ts';

const schema = () => ({
  classes: [{ class: 'Place', properties: [{ name: 'name', dataType: ['text'] }] }],
});

/** Refuses a whole request because of one bad object, like a server that cannot parse the object. */
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

interface Batched {
  id: string;
  properties: { name: string };
}

/** A server that remembers the objects it stored. `take` answers a batch, and calls `store` for each stored object. */
async function shop(take: (objects: Batched[], store: (object: Batched) => void) => unknown) {
  const stored = new Map<string, number>();
  const { session } = await openFixed(schema, ({ method, url, body }) => {
    if (url === '/v1/batch/objects')
      return take((JSON.parse(body) as { objects: Batched[] }).objects, ({ id }) =>
        stored.set(id, (stored.get(id) ?? 0) + 1),
      );
    if (method === 'GET' && url.startsWith('/v1/objects?')) return { objects: [] };
    if (method === 'GET') return new Refusal(404, '');
    const found = [...stored.keys()].filter((id) => body.includes(id));
    return { data: { Get: { Place: found.map((id) => ({ _additional: { id } })) } } };
  });
  const uuid = (at: number) => `00000000-0000-4000-8000-00000000000${at}`;
  const bring = async (names: string[]) => {
    const changes = names.map(
      (name, at): Insert => ({
        kind: 'insert',
        id: String(at),
        values: { uuid: uuid(at), name },
      }),
    );
    const request = { table: 'Place', changes, rowTimeoutMs: 9_000 };
    const reports = await Array.fromAsync(session.importRows!(request, call));
    const all = new Map(reports.flatMap(({ outcomes }) => outcomes.map((one) => [one.id, one] as const)));
    return changes.map(({ id }) => all.get(id)!);
  };
  return { stored, bring };
}

const refused = (message: string) => ({ result: { status: 'FAILED', errors: { error: [{ message }] } } });

test('if the answer to a batch is too large, a lookup finds the stored objects, and no object is sent twice', async () => {
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const { bring, stored } = await shop((objects, store) => {
    for (const object of objects) store(object);
    return Readable.from(Array.from({ length: 260 }, () => chunk));
  });
  expect((await bring(['a', 'b'])).map(({ status }) => status)).toEqual(['applied', 'applied']);
  expect([...stored.values()]).toEqual([1, 1]);
});

test('if the answer does not say whether an object is stored, a lookup decides, or the row is unknown', async () => {
  const commit =
    'connect: Post "http://n2/replicas/indices/Place/shards/x:commit": context deadline exceeded';
  const index = 'store: import into index place: shard x: update vector index: insert doc id 5';
  const { bring } = await shop((objects, store) =>
    objects.flatMap((object) => {
      const { name } = object.properties;
      if (!name.startsWith('lost')) store(object);
      if (name === 'good') return [{ result: { status: 'SUCCESS' } }];
      if (name === 'odd') return [{ result: { status: 'FAILED', errors: { error: [null, {}] } } }];
      if (name === 'invalid') return [refused('invalid object')];
      if (name.endsWith('commit')) return [refused(commit)];
      return name.endsWith('index') ? [refused(index)] : [];
    }),
  );
  const names = [
    'good',
    'commit',
    'lost commit',
    'invalid',
    'index',
    'lost index',
    'odd',
    'no result',
    'lost',
  ];
  const outcomes = await bring(names);
  expect(outcomes.map(({ status }, at) => `${names[at]}: ${status}`)).toEqual([
    'good: applied',
    'commit: applied',
    'lost commit: unknown',
    'invalid: failed',
    'index: applied',
    'lost index: failed',
    'odd: applied',
    'no result: applied',
    'lost: unknown',
  ]);
  const warning = `Stored, but the server reports an error, so a search may not find this row: ${index}`;
  expect(outcomes.map((one) => one.warning)).toEqual(
    names.map((name) => (name === 'index' ? warning : undefined)),
  );
  expect(outcomes[2]!.error?.message).toBe(`Sent, but the answer never came: ${commit}`);
  expect(outcomes[5]!.error?.message).toBe(index);
});

test.each([
  ['the page of a proxy', 504, '<html>'],
  ['the timeout of a proxy', 408, ''],
  ['the message of a proxy', 503, { message: 'upstream request timeout' }],
  [
    'the error of unreachable nodes',
    500,
    { error: [{ message: 'broadcast: cannot reach enough replicas' }] },
  ],
])(
  'a batch answered with %s does not count as failed, and a second import stores nothing twice',
  async (_, status, body) => {
    let isBroken = true;
    const { bring, stored } = await shop((objects, store) => {
      for (const object of objects) if (!isBroken || object.properties.name === 'stored') store(object);
      return isBroken ? new Refusal(status, body) : objects.map(() => ({ result: { status: 'SUCCESS' } }));
    });
    const statuses = async () => (await bring(['stored', 'lost'])).map((one) => one.status);
    expect(await statuses()).toEqual(['applied', 'unknown']);
    isBroken = false;
    expect(await statuses()).toEqual(['skipped', 'applied']);
    expect([...stored.values()]).toEqual([1, 1]);
  },
);

test('a batch that fails in the server itself counts as failed if its objects are not found', async () => {
  const broken = { error: [{ message: 'no such file' }] };
  const { bring } = await shop(() => new Refusal(503, broken));
  const [outcome] = await bring(['one']);
  expect(outcome).toMatchObject({ status: 'failed', error: { message: 'no such file' } });
});

test('a read-only shard answers SUCCESS for objects that it does not store, and these rows fail', async () => {
  const success = { result: { status: 'SUCCESS' } };
  const { bring } = await shop((objects) =>
    objects.map((_, at) => (at === 0 ? refused('store is read-only due to: disk usage too high') : success)),
  );
  const outcomes = await bring(['one', 'two', 'three']);
  expect(outcomes.map(({ status, error }) => [status, error?.code])).toEqual(
    times(3, '').map(() => ['failed', 'disk_full']),
  );
});

test('rows are stored even if all rows before them in the request are refused', async () => {
  const { statuses } = await brought([...times(4, 'bad'), ...times(4, 'good')]);
  expect(statuses).toEqual([...times(4, 'failed'), ...times(4, 'applied')]);
});

test('one row that is refused fails alone', async () => {
  const { statuses } = await brought(['good', 'good', 'bad', 'good', 'good']);
  expect(statuses).toEqual(['applied', 'applied', 'failed', 'applied', 'applied']);
});

test('if every row is refused, the rows are not sent one by one', async () => {
  const { statuses, asked } = await brought(times(64, 'bad'));
  expect(new Set(statuses)).toEqual(new Set(['failed']));
  expect(asked.length).toBeLessThan(20);
});
