import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { DialClient } from './dial-client.ts';

test('when the pipe ends, a waiting dial fails, and so does a later dial', async () => {
  const [app, host] = duplexPair();
  const client = new DialClient(host);
  const { signal } = new AbortController();
  const waiting = client.dial({ signal });
  app.destroy();
  host.destroy();
  await expect(waiting).rejects.toMatchObject({ code: 'connection_failed' });
  await expect(client.dial({ signal })).rejects.toMatchObject({ code: 'connection_failed' });
});
