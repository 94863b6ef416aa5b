import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { post } from './testing/post.ts';
import { useTestServer } from './testing/test-server.ts';

const t = useTestServer();

describe('request checks', () => {
  test('methods other than POST get 405', async () => {
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT']) {
      const response = await fetch(`http://127.0.0.1:${t.server.port}/mcp`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('a foreign Host or Origin gets 403; localhost with another port, as after port forwarding, passes this check', async () => {
    expect((await t.run({ query: 'x' }, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await t.run({ query: 'x' }, { Origin: 'null' })).status).toBe(403);
    expect(await statusForHost('evil.example')).toBe(403);
    expect(await statusForHost('localhost:9999')).toBe(401);
  });

  test('another path gets 404, another content type 415, a batch 400, and broken JSON a parse error', async () => {
    const other = await fetch(`http://127.0.0.1:${t.server.port}/`, { method: 'POST' });
    expect(other.status).toBe(404);
    expect((await post(t.server.port, '{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await post(t.server.port, [])).status).toBe(400);
    expect((await post(t.server.port, '{"')).message.error?.code).toBe(-32700);
  });

  test('a body over 10 MB is refused', async () => {
    const answer = await post(t.server.port, `"${'x'.repeat(10 * 1024 * 1024)}"`);
    expect([answer.status, answer.message.error?.code]).toEqual([413, -33005]);
  });

  test('the server does not listen on ::1', async () => {
    const refused = await new Promise((resolve) => {
      connect(t.server.port, '::1')
        .once('error', () => resolve(true))
        .once('connect', () => resolve(false));
    });
    expect(refused).toBe(true);
  });

  function statusForHost(host: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const options = {
        port: t.server.port,
        host: '127.0.0.1',
        path: '/mcp',
        method: 'POST',
        headers: { host },
      };
      httpRequest(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
  }
});
