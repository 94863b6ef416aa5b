import { expect, test } from 'vitest';
import type { WeaviateClient } from './client.ts';
import { failureOfAnswer } from './failure.ts';
import { checkHealth } from './health.ts';

test.each(['', '<html>Forbidden</html>', '{"detail":"Forbidden"}'])(
  'the error for a 403 without a message of Weaviate points to the proxy and names no permission: %j',
  async (body) => {
    const { code, message, hint } = failureOfAnswer({ status: 403, body }, '/v1/objects');
    expect({ code, message, hint }).toEqual({
      code: 'permission_denied',
      message: expect.stringMatching(/^The server, or a proxy in front of it, refuses this: .*HTTP 403/),
      hint: 'Check the proxy, then the permissions of the key.',
    });
    const client = { send: async () => ({ status: 403, body }) } as unknown as WeaviateClient;
    expect(await checkHealth(client, new AbortController().signal)).toEqual({
      warning: 'The key may not read /v1/meta: HTTP 403',
    });
  },
);
