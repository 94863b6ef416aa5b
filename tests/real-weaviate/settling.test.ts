import { randomUUID } from 'node:crypto';
import type { Cell, Change, ChangeOutcome, Session } from '@trestle/driver-kit';
import { follow } from '@trestle/driver-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { call, connect, describeOnWeaviate, rest } from './servers.ts';

/** Values that the server may store in another form than they were sent. */
const values: Record<string, Cell> = {
  title: 'Ünïcode 😀',
  at: '2026-01-02T03:04:05.120+02:00',
  times: ['2026-01-02T03:04:05.000Z', '1999-12-31T23:59:59.9999999-03:30'],
  share: -0,
  where: { latitude: 52.373801, longitude: -0 },
  phone: { input: '030 1234567', defaultCountry: 'DE' },
  inner: {
    at: '2026-01-02T03:04:05.000+00:00',
    share: -0,
    third: 0.1 + 0.2,
    link: 'ABCDEFAB-0000-4000-8000-ABCDEFABCDEF',
    deep: { times: ['2026-06-01T00:00:00.500+02:00'], none: [] },
  },
  inners: [{ at: '2026-01-02T03:04:05.10Z' }, { share: 1e21 }],
};

const inner = [
  { name: 'at', dataType: ['date'] },
  { name: 'share', dataType: ['number'] },
  { name: 'third', dataType: ['number'] },
  { name: 'link', dataType: ['uuid'] },
  {
    name: 'deep',
    dataType: ['object'],
    nestedProperties: [
      { name: 'times', dataType: ['date[]'] },
      { name: 'none', dataType: ['text[]'] },
    ],
  },
];
const properties = [
  { name: 'title', dataType: ['text'] },
  { name: 'at', dataType: ['date'] },
  { name: 'times', dataType: ['date[]'] },
  { name: 'share', dataType: ['number'] },
  { name: 'where', dataType: ['geoCoordinates'] },
  { name: 'phone', dataType: ['phoneNumber'] },
  { name: 'inner', dataType: ['object'], nestedProperties: inner },
  { name: 'inners', dataType: ['object[]'], nestedProperties: inner },
];

describeOnWeaviate('changes whose answer is lost', ({ port }) => {
  const table = `Lost${randomUUID().slice(0, 8)}`;
  let proxy: HttpProxy;
  let session: Session;

  beforeAll(async () => {
    await rest(port, 'POST', '/schema', { class: table, vectorizer: 'none', properties });
    proxy = await startHttpProxy(port);
    session = await connect(proxy.port);
  });
  afterAll(async () => {
    await session?.close();
    await proxy?.close();
    await rest(port, 'DELETE', `/schema/${table}`);
  });

  async function save(change: Change, rowTimeoutMs = 30_000): Promise<ChangeOutcome> {
    const { outcomes } = await follow(
      session.applyChanges!({ table, changes: [change], rowTimeoutMs }, call),
    );
    return outcomes.get(change.id)!;
  }
  const loseAnswers = () => {
    proxy.decide = ({ method }) => (/^(POST|PATCH)$/.test(method) ? 'resetAfter' : 'pass');
  };
  const look = async (change: Change) =>
    (await session.settleChanges!({ table, changes: [change] }, call))[0]!;

  test('a row that the server stored in its own form is recognised', async () => {
    const uuid = randomUUID();
    const typed: Change = { kind: 'insert', id: 'c', values: { uuid, ...values } };
    loseAnswers();
    expect(await save(typed)).toEqual({ id: 'c', status: 'applied', key: { uuid } });
    expect(await look(typed)).toEqual({ id: 'c', status: 'applied', key: { uuid } });
    const less: Change = { kind: 'insert', id: 'c', values: { uuid, title: 'Ünïcode 😀' } };
    expect(await look(less)).toMatchObject({ status: 'unknown', error: { code: 'conflict' } });
    const update: Change = { kind: 'update', id: 'c', key: { uuid }, values: { ...values, title: 'other' } };
    expect(await save(update)).toEqual({ id: 'c', status: 'applied' });
    proxy.decide = () => 'pass';
    const untyped = await save({ kind: 'insert', id: 'c', values });
    const sent: Change = { kind: 'insert', id: 'c', values, key: untyped.key! };
    expect(await look(sent)).toEqual({ id: 'c', status: 'applied', key: untyped.key });
    expect(await save(sent)).toEqual({ id: 'c', status: 'applied', key: untyped.key });
  });

  test('a row is recognised by its vector too, which the server rounds to float32', async () => {
    proxy.decide = () => 'pass';
    const uuid = randomUUID();
    const row = (vector: number[]): Change => ({
      kind: 'insert',
      id: 'c',
      values: { uuid, title: 'vector', vector },
    });
    const given = [0.1, 1 / 3, -0, 123456.789];
    loseAnswers();
    expect(await save(row(given))).toEqual({ id: 'c', status: 'applied', key: { uuid } });
    expect(await look(row(given))).toEqual({ id: 'c', status: 'applied', key: { uuid } });
    const changed = [0.1, 1 / 3, 0, 123456.8];
    expect(await look(row(changed))).toMatchObject({ status: 'unknown', error: { code: 'conflict' } });
    expect(await save(row(changed))).toMatchObject({ status: 'unknown', error: { code: 'conflict' } });
  });

  test('a missing row settles an insert as failed and a delete as applied; a new delete or update of it fails', async () => {
    proxy.decide = () => 'pass';
    const key = { uuid: randomUUID() };
    expect(await look({ kind: 'insert', id: 'c', values, key })).toMatchObject({ status: 'failed', key });
    expect(await look({ kind: 'delete', id: 'c', key })).toEqual({ id: 'c', status: 'applied' });
    const gone = { status: 'failed', error: { message: 'This object no longer exists' } };
    expect(await save({ kind: 'delete', id: 'c', key })).toMatchObject(gone);
    expect(await save({ kind: 'update', id: 'c', key, values: { title: 'x' } })).toMatchObject(gone);
  });

  test('a request that the server gets after the deadline does not count as failed, and its row is not stored twice', async () => {
    const late = Promise.withResolvers<void>();
    proxy.decide = ({ method, path }) =>
      method === 'POST' && path === '/v1/objects' ? { arrives: late.promise } : 'pass';
    const change: Change = { kind: 'insert', id: 'c', values: { title: 'late' } };
    const lost = await save(change, 1_000);
    expect(lost).toMatchObject({ status: 'unknown', error: { code: 'timeout' } });
    proxy.decide = () => 'pass';
    late.resolve();
    const sent = { ...change, key: lost.key! };
    await expect.poll(async () => (await look(sent)).status).toBe('applied');
    expect(await save(sent)).toEqual({ id: 'c', status: 'applied', key: lost.key });
    const { objects } = (await rest(port, 'GET', `/objects?class=${table}&limit=100`)) as {
      objects: { properties: { title: string } }[];
    };
    expect(objects.filter((one) => one.properties.title === 'late')).toHaveLength(1);
  });
});
