import { expect, test } from 'vitest';
import { runningNode } from '../testing/running-node.ts';

const id = '11111111-1111-4111-8111-111111111111';
const both = '22222222-2222-4222-8222-222222222222';

async function tenantNode() {
  const node = await runningNode({ seed: false });
  await node.ask('POST', '/schema', {
    class: 'Mt',
    multiTenancyConfig: { enabled: true },
    properties: [{ name: 't', dataType: ['text'] }],
  });
  await node.ask('POST', '/schema/Mt/tenants', [{ name: 'acme' }, { name: 'zeta' }]);
  await node.ask('POST', '/objects', { class: 'Mt', tenant: 'acme', id, properties: { t: 'a' } });
  return node;
}

test('each tenant is read and written separately', async () => {
  const node = await tenantNode();
  expect(await node.ask('GET', '/objects?class=Mt&tenant=acme')).toMatchObject({ body: { totalResults: 1 } });
  expect(await node.ask('GET', '/objects?class=Mt&tenant=zeta')).toEqual({
    status: 200,
    body: { deprecations: [], objects: [] },
  });
  expect(await node.graphql('{ Get { Mt(tenant: "acme") { t } } }')).toEqual({
    data: { Get: { Mt: [{ t: 'a' }] } },
  });
});

test('a request without a tenant, or with an unknown or cold (inactive) tenant, is refused', async () => {
  const node = await tenantNode();
  const missing = 'class Mt has multi-tenancy enabled, but request was without tenant';
  expect(await node.ask('GET', '/objects?class=Mt')).toEqual({
    status: 422,
    body: { error: [{ message: `msg:search index mt code:422 err:${missing}` }] },
  });
  const { errors } = await node.graphql('{ Get { Mt { t } } }');
  expect(errors).toMatchObject([{ message: expect.stringContaining(missing) }]);
  expect(await node.ask('GET', '/objects?class=Mt&tenant=nope')).toMatchObject({
    body: { error: [{ message: 'msg:search index mt code:422 err:tenant not found: "nope"' }] },
  });
  await node.ask('PUT', '/schema/Mt/tenants', [{ name: 'acme', activityStatus: 'COLD' }]);
  expect(await node.ask('GET', '/objects?class=Mt&tenant=acme')).toMatchObject({
    body: { error: [{ message: "msg:search index mt code:422 err:tenant not active: 'acme'" }] },
  });
});

test('a batch delete takes its tenant from the query string, as in Weaviate', async () => {
  const node = await tenantNode();
  for (const tenant of ['acme', 'zeta']) {
    await node.ask('POST', '/objects', { class: 'Mt', tenant, id: both, properties: { t: 'same' } });
  }
  const match = { class: 'Mt', where: { operator: 'Equal', path: ['t'], valueText: 'same' } };
  const missing = 'class Mt has multi-tenancy enabled, but request was without tenant';
  expect(await node.ask('DELETE', '/batch/objects', { match, tenant: 'acme' })).toEqual({
    status: 422,
    body: { error: [{ message: `batch delete objects: cannot find objects: ${missing}` }] },
  });
  expect(await node.ask('DELETE', '/batch/objects?tenant=acme', { match })).toMatchObject({
    body: { results: { matches: 1, successful: 1 } },
  });
  expect(await node.ask('GET', `/objects/Mt/${both}?tenant=acme`)).toMatchObject({ status: 404 });
  expect(await node.ask('GET', `/objects/Mt/${both}?tenant=zeta`)).toMatchObject({ status: 200 });
});

test('a dropped tenant loses its objects', async () => {
  const node = await tenantNode();
  expect(await node.ask('DELETE', '/schema/Mt/tenants', ['acme'])).toEqual({ status: 200, body: '' });
  expect(await node.ask('GET', '/schema/Mt/tenants')).toEqual({
    status: 200,
    body: [{ name: 'zeta', activityStatus: 'HOT' }],
  });
  await node.ask('POST', '/schema/Mt/tenants', [{ name: 'acme' }]);
  expect(await node.ask('GET', `/objects/Mt/${id}?tenant=acme`)).toEqual({ status: 404, body: '' });
});
