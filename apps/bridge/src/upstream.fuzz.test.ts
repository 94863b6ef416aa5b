import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  challengeHeader,
  proofHeader,
  proofPath,
  prove,
  type RunningHandshake,
  writeHandshake,
} from '@trestle/handshake';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppLink } from './app-link.ts';
import { Call } from './call.ts';
import { BridgeFailure } from './failures.ts';
import type { RpcMessage, RpcRequest } from './messages.ts';
import { ProvedAgent } from './proved-agent.ts';
import { handshakeOf } from './testing/handshake.ts';
import { Upstream } from './upstream.ts';

/** 500 cases make a short run. `TRESTLE_FUZZ_CASES=20000` makes a long run. */
const cases = Number(process.env.TRESTLE_FUZZ_CASES ?? 500);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20260728);

const home = mkdtempSync(join(tmpdir(), 'trestle-fuzz-'));
let handshake: RunningHandshake;
let answerProof: (proof: string) => Buffer;
let answer: { bytes: Buffer; isWhole: boolean };

interface Heard {
  socket: Socket;
  text: string;
  /** Whether the answer to the challenge contained the right proof. */
  isProved: boolean;
}

/**
 * The connections to a fake app. The fake app speaks plain TCP, so it can send anything, and hangs up after
 * damaged bytes.
 */
const heard: Heard[] = [];
const server = createServer((socket) => {
  const own: Heard = { socket, text: '', isProved: false };
  heard.push(own);
  let asked = '';
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    own.text += bytes;
    asked += bytes;
    const end = asked.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(asked)?.[1]);
    if (end === -1 || asked.length < end + 4 + length) return;
    if (asked.startsWith(`POST ${proofPath} `)) {
      const challenge = new RegExp(`${challengeHeader}: (\\S+)`, 'i').exec(asked)?.[1] ?? '';
      const proof = prove(handshake, challenge);
      const sent = answerProof(proof);
      own.isProved = sent.includes(`${proof}\r\n`);
      socket.write(sent);
      if (!sent.equals(proofBytes(proof))) socket.end();
    } else {
      socket.write(answer.bytes);
      if (!answer.isWhole) socket.end();
    }
    asked = '';
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  handshake = handshakeOf((server.address() as AddressInfo).port, 'secret-token');
  writeHandshake(home, handshake);
});
afterAll(() => {
  for (const { socket } of heard) socket.destroy();
  server.close();
  rmSync(home, { recursive: true });
});

test(`${cases} answers, most of them damaged: a call gets one message or fails, and the next call gets its own answer`, {
  timeout: 60_000 + cases * 20,
}, async () => {
  const random = randomFrom(seed);
  answerProof = proofBytes;
  const app = new AppLink({ home, launch: () => Promise.reject(new Error('the app must not be started')) });
  const upstream = new Upstream(app, 'fuzz');
  let taken = 0;
  for (let number = 0; number < cases; number++) {
    const message: RpcRequest = { jsonrpc: '2.0', id: number, method: 'tools/list' };
    const result = { text: ['', 'Größe 表 🔑', 'x'.repeat(random(300))][random(3)] };
    const response = { jsonrpc: '2.0', id: number, result } as const;
    const whole = answerBytes(response, random);
    const bytes = damaged(whole, random);
    const isWhole = bytes.equals(whole);
    answer = { bytes, isWhole };
    const outcome = await ask(upstream, message);
    if (isWhole) expect(outcome).toEqual([response]);
    // The damage may have changed the text of the message, but a call that does not fail gets exactly one message.
    if (Array.isArray(outcome)) expect(outcome).toEqual([expect.any(Object)]);
    else expect(outcome).toBeInstanceOf(BridgeFailure);
    if (Array.isArray(outcome)) taken++;
    if (!isWhole) await expect.poll(() => heard.at(-1)?.socket.destroyed, { interval: 1 }).toBe(true);
    const next = { ...response, id: 'next' };
    answer = { bytes: answerBytes(next, random), isWhole: true };
    expect(await ask(upstream, { ...message, id: 'next' })).toEqual([next]);
  }
  expect(taken).toBeGreaterThan(cases / 10);
  app.close();
});

test(`${cases} proofs, most of them damaged: only a right proof gets the token`, {
  timeout: 60_000 + cases * 20,
}, async () => {
  const random = randomFrom(seed);
  answerProof = (proof) => damaged(proofBytes(proof), random);
  answer = { bytes: Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'), isWhole: true };
  heard.length = 0;
  for (let number = 0; number < cases; number++) {
    const agent = new ProvedAgent(handshake);
    const headers = { authorization: `Bearer ${handshake.token}` };
    const call = request({ agent, host: '127.0.0.1', port: handshake.port, headers, path: '/' }).end();
    await once(call, 'response').catch(() => {});
    call.on('error', () => {});
    agent.destroy();
  }
  await expect.poll(() => heard.filter(({ socket }) => !socket.destroyed)).toEqual([]);
  const told = heard.filter(({ text }) => text.includes(handshake.token));
  expect(told.length).toBeGreaterThan(cases / 10);
  expect(told.filter(({ isProved }) => !isProved)).toEqual([]);
});

/** The messages that the call received, or its error. */
async function ask(upstream: Upstream, message: RpcRequest): Promise<RpcMessage[] | Error> {
  const received: RpcMessage[] = [];
  const call = new Call();
  try {
    await upstream.send({ message, call, onMessage: (one) => received.push(one) });
    return received;
  } catch (error) {
    return error as Error;
  }
}

function proofBytes(proof: string): Buffer {
  return Buffer.from(`HTTP/1.1 204 No Content\r\nDate: now\r\n${proofHeader}: ${proof}\r\n\r\n`);
}

function answerBytes(response: object, random: (below: number) => number): Buffer {
  const isStream = random(2) === 0;
  const json = JSON.stringify(response);
  const body = Buffer.from(isStream ? `: alive\n\nevent: message\ndata: ${json}\n\n` : json);
  const head = [
    `HTTP/1.1 200 ${['OK', '', 'Some words'][random(3)]}`,
    isStream ? 'content-type:text/event-stream' : 'Content-Type: application/json',
    ...(random(3) === 0 ? ['Connection: keep-alive', 'Keep-Alive: timeout=75'] : []),
  ];
  if (random(2) === 0) {
    const whole = [...head, `Content-Length: ${body.length}`].join('\r\n');
    return Buffer.concat([Buffer.from(`${whole}\r\n\r\n`), body]);
  }
  const pieces = [Buffer.from(`${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`)];
  for (let start = 0; start < body.length; ) {
    const piece = body.subarray(start, start + 1 + random(60));
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    start += piece.length;
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

function damaged(bytes: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  const at = random(copy.length);
  switch (random(5)) {
    case 0:
      return copy;
    case 1:
      copy[at] = random(256);
      return copy;
    case 2:
      return copy.subarray(0, at);
    case 3:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1 + random(5))]);
    default:
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.from([...'\r\n:0 \t', '\r\n\r\n', '1'][random(8)] ?? ''),
        copy.subarray(at),
      ]);
  }
}

function randomFrom(start: number): (below: number) => number {
  let state = start >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
