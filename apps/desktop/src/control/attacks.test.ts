import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readControlSecret } from './secret.ts';
import { type ControlServer, serveControl } from './server.ts';
import { controlSocketPath } from './socket-path.ts';

const folder = mkdtempSync(join(tmpdir(), 'trestle-control-'));
const handle = vi.fn(async () => 'reached');
let server: ControlServer;
let secret: string;

beforeAll(async () => {
  server = await serveControl(folder, handle);
  secret = readControlSecret(folder);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const request = (changes: object = {}) =>
  JSON.stringify({ secret: 'SECRET', command: 'link', input: null, passphrase: null, ...changes });

/** SECRET stands for the right secret. CASE, HALF and HASH stand for values that are made from it. */
test.each([
  ['a secret in another case', request({ secret: 'CASE' })],
  ['a secret with a blank', request({ secret: 'SECRET ' })],
  ['a secret with a NUL', request({ secret: 'SECRET\u0000' })],
  ['half a secret', request({ secret: 'HALF' })],
  ['the hash of the secret', request({ secret: 'HASH' })],
  ['a secret that is an object', request({ secret: { toString: 'SECRET' } })],
  ['a secret of a megabyte', request({ secret: 'x'.repeat(1_000_000) })],
  [
    'a secret in the prototype',
    '{"__proto__":{"secret":"SECRET"},"command":"link","input":null,"passphrase":null}',
  ],
  ['a secret in the input', request({ secret: '', input: { secret: 'SECRET' } })],
  ['the secret as the passphrase', request({ secret: '', passphrase: 'SECRET' })],
  [
    'a second secret that is wrong',
    '{"secret":"SECRET","command":"link","input":null,"passphrase":null,"secret":"x"}',
  ],
  ['an extra key', request({ door: 'window' })],
  ['a passphrase that is a number', request({ passphrase: 1 })],
  ['no passphrase', '{"secret":"SECRET","command":"link","input":null}'],
  ['a command that is a list', request({ command: ['link'] })],
  ['a list of requests', `[${request()}]`],
  ['a byte order mark', `\uFEFF${request()}`],
  ['a comment', `//\r${request()}`],
  ['an HTTP request', 'POST / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['nesting a million deep', '['.repeat(1_000_000)],
  ['control characters', '\u0000\u0001\u0002'],
])('%s runs nothing', async (_, line) => {
  const made: Record<string, string> = {
    SECRET: secret,
    CASE: secret.toLowerCase(),
    HALF: secret.slice(0, secret.length / 2),
    HASH: createHash('sha256').update(secret).digest('hex'),
  };
  const given = line.replaceAll(/SECRET|CASE|HALF|HASH/g, (name) => made[name]!);
  const socket = connect(controlSocketPath(folder));
  socket.on('error', () => {});
  socket.write(`${given}\n`);
  const answer = await text(socket);
  expect(JSON.parse(answer)).toMatchObject({ ok: false });
  expect(answer).not.toContain(secret);
  expect(handle).not.toHaveBeenCalled();
});

test('after a refused request, a second request on the same socket is not run', async () => {
  const socket = connect(controlSocketPath(folder));
  socket.write(`${request()}\n${request({ secret })}\n`);
  expect(JSON.parse(await text(socket))).toMatchObject({ ok: false });
  expect(handle).not.toHaveBeenCalled();
});
