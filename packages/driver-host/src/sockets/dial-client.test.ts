import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { expect, test } from 'vitest';
import { DialClient } from './dial-client.ts';
import { frameType } from './frames.ts';

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

test('the caller of a dial gets the error of a socket that is reset right after it opens', async () => {
  const [app, host] = duplexPair();
  const client = new DialClient(host);
  const dialling = client.dial({ signal: new AbortController().signal });
  app.write(Buffer.concat([frame(frameType.opened), frame(frameType.close, 'ECONNRESET')]));
  const [error] = await once(await dialling, 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
});

function frame(type: number, body = ''): Buffer {
  const header = Buffer.alloc(9);
  header.writeUInt8(type);
  header.writeUInt32LE(1, 1);
  header.writeUInt32LE(body.length, 5);
  return Buffer.concat([header, Buffer.from(body)]);
}
