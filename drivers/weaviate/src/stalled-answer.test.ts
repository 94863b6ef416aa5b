import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { directDial } from '@trestle/driver-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { silence } from './client.ts';
import { driver } from './driver.ts';

const call = { signal: new AbortController().signal };
const schema = { classes: [{ class: 'Thing', properties: [{ name: 'n', dataType: ['int'] }] }] };

const filter = { column: 'n', operator: 'equals' as const, value: 1 };
const sort = { column: 'n', order: 'asc' as const };

test.each([
  ['in the middle of an answer', {}, '{"objects":[', 'stopped in the middle of an answer'],
  ['before an answer', {}, null, 'does not answer'],
  ['before an answer to a filter', { filters: [filter] }, null, 'does not answer'],
  ['before an answer to a sort', { sort: [sort] }, null, 'does not answer'],
])('if the network stalls %s, an export ends with a message', async (_name, asked, begun, detail) => {
  const before = { ...silence };
  Object.assign(silence, { bodyMs: 300, pageMs: 300, answerMs: 300 });
  onTestFinished(() => void Object.assign(silence, before));
  const server = createServer((request, response) => {
    if (request.url === '/v1/meta') return response.end('{"version":"1.39.0"}');
    if (request.url === '/v1/schema') return response.end(JSON.stringify(schema));
    if (begun) response.write(begun);
    return undefined;
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const fields = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled' };
  const session = await driver.connect({ fields, log: () => {}, dial: directDial(fields) }, call);
  onTestFinished(() => session.close());
  const request = { table: 'Thing', filters: [], match: 'all' as const, sort: [], ...asked };
  await expect(Array.fromAsync(session.exportRows!(request, call))).rejects.toMatchObject({
    code: 'connection_failed',
    message: `Connection failed: 127.0.0.1:${port} ${detail}`,
    hint: 'The server answered before. Check that it still runs.',
  });
});
