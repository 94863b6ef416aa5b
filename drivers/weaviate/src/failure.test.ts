import { expect, test } from 'vitest';
import type { WeaviateClient } from './client.ts';
import { failureOfAnswer, failureOfNetwork } from './failure.ts';
import { checkHealth } from './health.ts';
import { OfferedQueries } from './requests/offered-queries.ts';

test.each(['', '<html>Forbidden</html>', '{"detail":"Forbidden"}'])(
  'for a 403 without a message of Weaviate, the hint is to check the proxy first: %j',
  async (body) => {
    const { code, message, hint } = failureOfAnswer({ status: 403, body }, '/v1/objects');
    expect({ code, message, hint }).toEqual({
      code: 'permission_denied',
      message: expect.stringMatching(/^The server, or a proxy in front of it, refuses this: .*HTTP 403/),
      hint: 'Check the proxy, then the permissions of the key.',
    });
    const client = { send: async () => ({ status: 403, body }) } as unknown as WeaviateClient;
    const { signal } = new AbortController();
    expect(await checkHealth(client, new OfferedQueries(client), signal)).toEqual({
      warning: 'The key may not read /v1/meta: HTTP 403',
    });
  },
);

test('the error for an unknown issuer names CA File if the connection has one', () => {
  const error = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  const messages = [false, true].map(
    (hasCaFile) => failureOfNetwork(error, 'localhost:8080', { hasCaFile }).message,
  );
  expect(messages).toEqual([
    'Connection failed: the certificate of localhost:8080 is not signed by a trusted authority',
    'Connection failed: the certificate of localhost:8080 is not signed by an authority in CA File',
  ]);
});

test('the error for a module that the server does not have says where to enable it', () => {
  const said = 'vectorizer: no module with name "text2vec-transformers" present';
  const body = JSON.stringify({ error: [{ message: said }] });
  const { code, message, hint } = failureOfAnswer({ status: 422, body }, '/v1/schema');
  expect({ code, message, hint }).toEqual({
    code: 'query_failed',
    message: said,
    hint: 'The server does not have this module. Enable it there (ENABLE_MODULES), or use a server that has it.',
  });
});
