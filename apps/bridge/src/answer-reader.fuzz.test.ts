import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnswerReader } from './answer-reader.ts';

/** Short in every run of the tests; `TRESTLE_FUZZ_CASES=20000` for the long form. */
const cases = Number(process.env.TRESTLE_FUZZ_CASES ?? 500);
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20260728);

let answer: Buffer = Buffer.alloc(0);
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => {}).once('data', () => socket.end(answer));
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

test(`${cases} answers, most of them damaged: what is taken is what Node's own client takes`, {
  timeout: 60_000 + cases * 20,
}, async () => {
  const random = randomFrom(seed);
  let taken = 0;
  for (let number = 0; number < cases; number++) {
    answer = damaged(valid(random), random);
    const ours = readInPieces(answer, random);
    if (ours === undefined) continue;
    taken++;
    expect([answer.toString('latin1'), await readByNode()]).toEqual([answer.toString('latin1'), ours]);
  }
  expect(taken).toBeGreaterThan(cases / 10);
});

interface Read {
  status: number;
  type: string | undefined;
  text: string;
}

/** Undefined where it is refused, or not complete. */
function readInPieces(bytes: Buffer, random: (below: number) => number): Read | undefined {
  const read: Read = { status: 0, type: undefined, text: '' };
  const reader = new AnswerReader({
    onHead({ status, headers }) {
      read.status = status;
      read.type = headers.get('content-type');
    },
    onText(piece) {
      read.text += piece;
    },
  });
  let isComplete = false;
  try {
    for (let start = 0; start < bytes.length; ) {
      const size = 1 + random(40);
      isComplete = reader.push(bytes.subarray(start, start + size));
      start += size;
    }
  } catch (error) {
    expect((error as Error).message).toBe('its answer is not HTTP as Trestle speaks it');
    return undefined;
  }
  return isComplete ? read : undefined;
}

async function readByNode(): Promise<Read> {
  const { port } = server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1', agent: false });
  const [response] = await once(request, 'response');
  return {
    status: response.statusCode,
    type: response.headers['content-type'],
    text: await textOf(response),
  };
}

function valid(random: (below: number) => number): Buffer {
  const body = Buffer.from(['', '{}', 'Größe 表 🔑', 'x'.repeat(random(300))][random(4)] ?? '');
  const status = [200, 200, 202, 400, 401, 429, 500][random(7)];
  const head = [
    `HTTP/1.1 ${status} ${['OK', '', 'Some words'][random(3)]}`,
    ['Content-Type: application/json', 'content-type:text/event-stream', 'X-Other: :'][random(3)],
    ...(random(3) === 0 ? ['Connection: keep-alive', 'Keep-Alive: timeout=75'] : []),
  ];
  if (random(2) === 0) {
    return Buffer.concat([
      Buffer.from(`${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`),
      body,
    ]);
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
