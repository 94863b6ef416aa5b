import { spawn } from 'node:child_process';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/**
 * Stands between Playwright and an installed Firefox: `node firefox-relay.ts <firefox> <arguments>`.
 * Playwright sends `emulation.setMediaFeaturesOverride`. If Firefox refuses the command as unknown, Playwright fails.
 * The relay sends `session.status` instead, so that Playwright gets an answer without an error.
 */
const unknownCommand = 'emulation.setMediaFeaturesOverride';

const [firefox = '', ...given] = process.argv.slice(2);
const browser = spawn(firefox, given, { stdio: ['ignore', 'inherit', 'pipe'] });
browser.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => browser.kill(signal));

let said = '';
browser.stderr.on('data', (chunk: Buffer) => {
  said += chunk;
  const lines = said.split('\n');
  said = lines.pop() ?? '';
  for (const line of lines) void pass(line);
});

async function pass(line: string): Promise<void> {
  const port = /WebDriver BiDi listening on ws:\/\/[^:]+:(\d+)/.exec(line)?.[1];
  const shown = port ? `WebDriver BiDi listening on ws://127.0.0.1:${await relayTo(Number(port))}` : line;
  process.stderr.write(`${shown}\n`);
}

function relayTo(port: number): Promise<number> {
  const server = createServer((client) => relay(client, dial(port, '127.0.0.1'), port));
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

function relay(client: Socket, target: Socket, port: number): void {
  let waiting = Buffer.alloc(0);
  let shaken = false;
  client.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    if (!shaken) {
      const end = waiting.indexOf('\r\n\r\n');
      if (end < 0) return;
      // Without compression, the relay can read the frames. Firefox accepts only its own address as `Host`.
      const head = waiting
        .subarray(0, end)
        .toString()
        .replace(/\r\nsec-websocket-extensions:[^\r]*/i, '');
      target.write(`${head.replace(/\r\nhost:[^\r]*/i, `\r\nHost: 127.0.0.1:${port}`)}\r\n\r\n`);
      waiting = waiting.subarray(end + 4);
      shaken = true;
    }
    for (let frame = readFrame(waiting); frame; frame = readFrame(waiting)) {
      target.write(frame.payload.includes(unknownCommand) ? harmless(frame.payload) : frame.whole);
      waiting = waiting.subarray(frame.whole.length);
    }
  });
  target.pipe(client);
  for (const socket of [client, target]) {
    socket.on('error', () => {});
    socket.once('close', () => [client, target].map((one) => one.destroy()));
  }
}

/** One frame of a client. Clients mask their frames (RFC 6455, 5.2). Null while the frame is incomplete. */
function readFrame(bytes: Buffer): { whole: Buffer; payload: string } | null {
  if (bytes.length < 2) return null;
  const short = bytes[1]! & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + extra) return null;
  const length = extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const start = 2 + extra + 4;
  if (bytes.length < start + length) return null;
  const mask = bytes.subarray(start - 4, start);
  const payload = bytes.subarray(start, start + length).map((byte, index) => byte ^ mask[index % 4]!);
  return { whole: bytes.subarray(0, start + length), payload: Buffer.from(payload).toString() };
}

/** A command that does nothing, with the id of `command`. With a mask of zero, Firefox would close the socket. */
function harmless(command: string): Buffer {
  const { id } = JSON.parse(command) as { id: number };
  const payload = Buffer.from(JSON.stringify({ id, method: 'session.status', params: {} }));
  const mask = [1, 2, 3, 4];
  const masked = payload.map((byte, index) => byte ^ mask[index % 4]!);
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, ...mask]), masked]);
}
