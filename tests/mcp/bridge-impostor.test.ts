import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import {
  challengeHeader,
  createChallenge,
  handshakePath,
  proofHeader,
  proofPath,
  type RunningHandshake,
} from '@trestle/handshake';
import { expect, test } from 'vitest';
import { installBridge } from './bridge-fixtures.ts';
import { spawnBridge } from './bridge-process.ts';
import { runServer } from './running-server.ts';

/*
 * Another process listens on the port that the handshake names. The token must not reach this process, whatever
 * the process answers. TRESTLE_IMPOSTOR_TRIES=500 is the long form; the default is 12 tries. Each try takes about a
 * second, because the bridge waits that long for a newer handshake. Up to ten tries run at the same time.
 */
const tries = Number(process.env.TRESTLE_IMPOSTOR_TRIES ?? 12);
const lanes = Math.min(10, Math.ceil(tries / 3));

type Answer = (
  challenge: string,
  attack: { oldProof: string; otherPort: number },
) => Promise<string> | string;

const attacks: [string, Answer][] = [
  ['makes up a proof', () => noContent('A'.repeat(43))],
  ['replays an old proof', (_, { oldProof }) => noContent(oldProof)],
  [
    'passes the challenge on to another app',
    async (challenge, { otherPort }) => noContent(await proofFrom(otherPort, challenge)),
  ],
  ['answers without a proof, as if to a tool call', () => 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'],
];

test(`an impostor never receives the token (${tries} tries)`, {
  timeout: 60_000 + tries * 2_000,
}, async () => {
  const other = await runServer();
  try {
    const perLane = Math.ceil(tries / lanes);
    const heard = await Promise.all(
      Array.from({ length: lanes }, (_, lane) => attackRepeatedly(lane, perLane, other.server.port)),
    );
    const all = heard.flat();
    expect(all.length).toBeGreaterThanOrEqual(tries);
    // The bridge asked each impostor for a proof, and sent it neither a token nor the call.
    for (const { bytes, tokens, message } of all) {
      expect(message).toMatch(/did not prove it belongs to Trestle/);
      expect(bytes).toMatch(new RegExp(`^POST ${proofPath} `));
      expect(bytes.toLowerCase()).not.toContain('authorization');
      expect(bytes).not.toContain('tools/call');
      for (const token of tokens) expect(bytes).not.toContain(token);
    }
  } finally {
    await other.close();
  }
});

interface Attempt {
  bytes: string;
  tokens: string[];
  message: string | undefined;
}

async function attackRepeatedly(lane: number, count: number, otherPort: number): Promise<Attempt[]> {
  const running = await runServer();
  const bridge = spawnBridge(running.home, installBridge(running.home, 'exit 0'));
  const call = () => bridge.ask('tools/call', { name: 'list_connections', arguments: {} });
  const path = handshakePath(running.home);
  const attempts: Attempt[] = [];
  try {
    for (let number = 0; number < count; number++) {
      expect((await call()).error).toBeUndefined();
      const kept = readFileSync(path);
      const { port, token } = JSON.parse(String(kept)) as RunningHandshake;
      const oldProof = await proofFrom(port, createChallenge());
      const [, answer] = attacks[(lane + number) % attacks.length]!;
      await running.server.close();
      const impostor = await takePort(port, (challenge) => answer(challenge, { oldProof, otherPort }));
      // After kill -9 the handshake file stays, and another process may get the pid that it names.
      writeFileSync(path, kept, { mode: 0o600 });
      const { error } = await call();
      await impostor.close();
      attempts.push({ bytes: impostor.heard(), tokens: [token], message: error?.message });
      await running.restart({ port });
    }
  } finally {
    await bridge.end();
    await running.close();
  }
  return attempts;
}

async function takePort(port: number, answer: (challenge: string) => Promise<string> | string) {
  let heard = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let request = '';
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', async (chunk: string) => {
      heard += chunk;
      request += chunk;
      if (!request.includes('\r\n\r\n')) return;
      const challenge = new RegExp(`${challengeHeader}: (\\S+)`, 'i').exec(request)?.[1] ?? '';
      request = '';
      socket.write(await answer(challenge));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    heard: () => heard,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function proofFrom(port: number, challenge: string): Promise<string> {
  // A new socket each time: the app may close an idle one just as the next request is sent.
  const asked = request({
    ...{ host: '127.0.0.1', port, path: proofPath, method: 'POST', agent: false },
    headers: { [challengeHeader]: challenge },
  });
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  asked.end();
  const [response] = await answered;
  response.resume();
  return String(response.headers[proofHeader] ?? '');
}

function noContent(proof: string): string {
  return `HTTP/1.1 204 No Content\r\n${proofHeader}: ${proof}\r\n\r\n`;
}
