import type { ClientRequestArgs } from 'node:http';
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
import { Agent } from './builtins.ts';

/** Nothing of the request was sent: it is safe to send it elsewhere. */
export class ConnectFailure extends Error {
  readonly kind: 'unreachable' | 'unproved';

  constructor(kind: ConnectFailure['kind'], message: string) {
    super(message);
    this.name = 'ConnectFailure';
    this.kind = kind;
  }
}

/**
 * Hands out sockets that have proved themselves. The challenge goes over the very socket the token will travel
 * on: a process that takes over the port between two calls gets a challenge it cannot answer, and nothing else.
 */
export class ProvenAgent extends Agent {
  readonly #handshake: RunningHandshake;

  constructor(handshake: RunningHandshake) {
    super({ keepAlive: true, maxSockets: 32, maxFreeSockets: 4 });
    this.#handshake = handshake;
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const socket = connect({ port: this.#handshake.port, host: '127.0.0.1', noDelay: true });
    proveSocket(socket, this.#handshake).then(
      () => callback?.(null, socket),
      (error: Error) => {
        socket.destroy();
        callback?.(error, socket);
      },
    );
  }
}

const proofTimeoutMs = 5_000;
const maxAnswerBytes = 8_192;

/** Rejects unless the peer answers a fresh challenge; afterwards the socket is as untouched as a new one. */
function proveSocket(socket: Socket, handshake: RunningHandshake): Promise<void> {
  const challenge = createChallenge();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let answer = '';

  const fail = (message: string) => settle(() => reject(new ConnectFailure('unproved', message)));
  const timer = setTimeout(() => fail('it did not answer the challenge'), proofTimeoutMs);
  const onError = (error: NodeJS.ErrnoException) => {
    const refused = error.code === 'ECONNREFUSED';
    settle(() => reject(new ConnectFailure(refused ? 'unreachable' : 'unproved', error.message)));
  };
  const onEnd = () => fail('it closed the connection');
  const onReadable = () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) answer += chunk.toString('latin1');
    if (answer.length > maxAnswerBytes) return fail('its answer is not a proof');
    if (!answer.includes('\r\n\r\n')) return;
    // Anything after the head would be taken for the answer to the first request.
    if (!answer.endsWith('\r\n\r\n') || !/^HTTP\/1\.1 204 /.test(answer))
      return fail('its answer is not a proof');
    const proof = new RegExp(`^${proofHeader}: *(\\S+)\\r$`, 'im').exec(answer)?.[1];
    if (!verifyProof(handshake, challenge, proof)) return fail('its proof is wrong');
    settle(resolve);
  };

  function settle(done: () => void): void {
    clearTimeout(timer);
    socket.off('readable', onReadable).off('error', onError).off('end', onEnd).off('close', onEnd);
    // A late error of a socket that nobody holds must not end the process.
    socket.on('error', () => {});
    done();
  }

  socket.on('readable', onReadable).on('error', onError).on('end', onEnd).on('close', onEnd);
  socket.write(
    `POST ${proofPath} HTTP/1.1\r\nHost: 127.0.0.1:${handshake.port}\r\n` +
      `${challengeHeader}: ${challenge}\r\nContent-Length: 0\r\n\r\n`,
  );
  return promise;
}
