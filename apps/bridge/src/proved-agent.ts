import { on } from 'node:events';
import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  challengeHeader,
  createChallenge,
  proofHeader,
  proofPath,
  type RunningHandshake,
  verifyProof,
} from '@trestle/handshake';

/**
 * Keeps a few connections to one run of the app. On each new connection, the app must prove itself before the first
 * request. The challenge uses the same socket as the token. So a process that takes over the port between two calls
 * gets a challenge that it cannot answer, and nothing else.
 */
export class ProvedAgent extends Agent {
  readonly #handshake: RunningHandshake;

  constructor(handshake: RunningHandshake) {
    super({ keepAlive: true, maxFreeSockets: 4 });
    this.#handshake = handshake;
  }

  /** Node's own method sets the options of the socket again after each call. `openProved` sets them once. */
  override keepSocketAlive(socket: Duplex): boolean {
    (socket as Socket).unref();
    return true;
  }

  override createConnection(
    _options: ClientRequestArgs,
    onCreated: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    openProved(this.#handshake).then(
      (socket) => onCreated(null, socket),
      // The agent ignores the socket if there is an error.
      (error: Error) => (onCreated as (error: Error) => void)(error),
    );
  }
}

/**
 * The app closes an idle connection after 75 seconds. A request sent at that moment would be lost, so the bridge closes
 * the connection earlier.
 */
const idleMs = 60_000;

/** There is no proved connection, so nothing of the request was sent. It is safe to send the request elsewhere. */
export class ConnectFailure extends Error {
  readonly kind: 'unreachable' | 'unproved';

  constructor(kind: ConnectFailure['kind'], message: string) {
    super(message);
    this.name = 'ConnectFailure';
    this.kind = kind;
  }
}

async function openProved(handshake: RunningHandshake): Promise<Socket> {
  const { port } = handshake;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, keepAlive: true });
  // The agent closes a free socket when this time is over.
  socket.setTimeout(idleMs);
  // An unhandled socket error would end the process. Between the proof and the first request, there is
  // no other listener.
  socket.on('error', () => {});
  try {
    const challenge = createChallenge();
    socket.write(
      `POST ${proofPath} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
        `${challengeHeader}: ${challenge}\r\nContent-Length: 0\r\n\r\n`,
    );
    const proof = proofIn(await readHead(socket));
    if (proof === undefined) throw new Error('its answer is not a proof');
    if (!verifyProof(handshake, challenge, proof)) throw new Error('its proof is wrong');
    return socket;
  } catch (error) {
    socket.destroy();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') throw new ConnectFailure('unreachable', message);
    const isLate = code === 'ABORT_ERR';
    throw new ConnectFailure('unproved', isLate ? 'it did not answer the challenge' : message);
  }
}

/** Accepts only a head with nothing after it: further bytes would count as the answer to the next request. */
function proofIn(head: string): string | undefined {
  const isWhole = head.startsWith('HTTP/1.1 204 ') && head.indexOf('\r\n\r\n') === head.length - 4;
  return isWhole ? proofLine.exec(head)?.[1] : undefined;
}

const proofLine = new RegExp(`\r\n${proofHeader}: *([\\w-]+)\r\n`, 'i');

async function readHead(socket: Socket): Promise<string> {
  let head = '';
  const signal = AbortSignal.timeout(proofTimeoutMs);
  for await (const [bytes] of on(socket, 'data', { signal, close: ['end', 'close'] })) {
    head += (bytes as Buffer).toString('latin1');
    if (head.includes('\r\n\r\n') || head.length > maxHeadLength) return head;
  }
  throw new Error(
    'it closed the connection before it answered the challenge: Trestle may be stopping, ' +
      'or too many unproven connections are open',
  );
}

const proofTimeoutMs = 5_000;
const maxHeadLength = 16_384;
