import type { Insert } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, openFixed, Refusal } from './testing/fixed-server.ts';

const schema = () => ({ classes: [{ class: 'Place', properties: [{ name: 'name', dataType: ['text'] }] }] });
const stored = '00000000-0000-4000-8000-000000000001';

test('if the server refuses the check of the ids, every row fails with permission_denied, and no batch is sent', async () => {
  const { session, asked } = await openFixed(
    schema,
    () => new Refusal(403, { error: [{ message: 'rbac: forbidden' }] }),
  );
  const changes = Array.from({ length: 2_000 }, (_, at): Insert => {
    return { kind: 'insert', id: `${at}`, values: { name: 'x' } };
  });
  const reports = await Array.fromAsync(
    session.importRows!({ table: 'Place', changes, rowTimeoutMs: 10_000 }, call),
  );
  const outcomes = reports.flatMap((report) => report.outcomes);
  expect(outcomes).toHaveLength(2_000);
  expect(new Set(outcomes.map(({ status, error }) => `${status}: ${error?.code}`))).toEqual(
    new Set(['failed: permission_denied']),
  );
  expect(outcomes.filter(({ error }) => error?.message.startsWith('Not sent'))).toEqual([]);
  expect(asked.filter(({ url }) => url.startsWith('/v1/batch'))).toEqual([]);
});

test('if the GraphQL check of the ids exceeds QUERY_MAXIMUM_RESULTS, a new row is still stored', async () => {
  const { session, asked } = await openFixed(schema, ({ url, body }) => {
    if (url === '/v1/graphql')
      return { data: null, errors: [{ message: 'query maximum results exceeded: 50' }] };
    if (url === '/v1/batch/objects') return [{ result: { status: 'SUCCESS' }, body }];
    if (url.startsWith('/v1/objects?')) return { objects: [] };
    return new Refusal(404, '');
  });
  const changes: Insert[] = [{ kind: 'insert', id: 'one', values: { uuid: stored, name: 'x' } }];
  const reports = await Array.fromAsync(
    session.importRows!({ table: 'Place', changes, rowTimeoutMs: 10_000 }, call),
  );
  expect(reports.flatMap((report) => report.outcomes)).toEqual([
    { id: 'one', status: 'applied', key: { uuid: stored } },
  ]);
  expect(asked.filter(({ url }) => url.startsWith('/v1/batch'))).toHaveLength(1);
});

test('without GraphQL, an existing object is not overwritten, even if a proxy turns the 204 of a HEAD into 200', async () => {
  const { session, asked } = await openFixed(schema, ({ method, url }) => {
    if (url === '/v1/graphql') return new Refusal(422, { error: [{ message: 'GraphQL is disabled' }] });
    return method === 'HEAD' ? {} : { class: 'Place', id: stored, properties: {} };
  });
  const changes: Insert[] = [{ kind: 'insert', id: 'one', values: { uuid: stored, name: 'x' } }];
  const reports = await Array.fromAsync(
    session.importRows!({ table: 'Place', changes, rowTimeoutMs: 10_000 }, call),
  );
  const outcomes = reports.flatMap((report) => report.outcomes);
  expect(outcomes).toMatchObject([{ id: 'one', status: 'skipped', existing: true }]);
  expect(asked.filter(({ url }) => url.startsWith('/v1/batch'))).toEqual([]);
});
