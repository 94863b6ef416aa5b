import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { directDial, save } from '@trestle/driver-kit/testing';
import { expect, test } from 'vitest';
import { driver } from './driver.ts';

/**
 * There is no cluster with namespaces to test on. This server answers like such a cluster: 410 if the class is in the
 * query, as in `/objects/{id}?class=A`, and success if it is in the path.
 */
test('if PATCH /objects/{id}?class= answers 410, the update is sent to /objects/{class}/{id}', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 204 ? '' : JSON.stringify(body));
    };
    if (request.url === '/v1/meta') return answer(200, { version: '1.39.0' });
    if (request.url === '/v1/schema') {
      return answer(200, { classes: [{ class: 'A', properties: [{ name: 't', dataType: ['text'] }] }] });
    }
    if (request.url?.includes('?class=')) return answer(410, { error: [{ message: 'gone' }] });
    answer(204, null);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const call = { signal: new AbortController().signal };
  const fields = { host: '127.0.0.1', port };
  const session = await driver.connect({ fields, log: () => {}, dial: directDial(fields) }, call);
  const uuid = '11111111-1111-4111-8111-111111111111';
  const change = { kind: 'update' as const, id: 'u', key: { uuid }, values: { t: 'x' } };
  expect(await save(session, { table: 'A', changes: [change] })).toEqual([{ id: 'u', status: 'applied' }]);
  expect(asked.slice(-2)).toEqual([`PATCH /v1/objects/${uuid}?class=A`, `PATCH /v1/objects/A/${uuid}`]);
  await session.close();
  server.close();
});
