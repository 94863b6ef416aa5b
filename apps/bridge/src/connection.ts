import type { Socket } from 'node:net';
import {
  challengeHeader,
  createChallenge,
  proofHeader,
  proofPath,
  type RunningHandshake,
  verifyProof,
} from '@trestle/handshake';
import { type AnswerHead, AnswerReader, type AnswerSink } from './answer-reader.ts';
import { connect } from './builtins.ts';

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
 * A connection that has proved itself. The challenge goes over the very socket the token will travel on: a process
 * that takes over the port between two calls gets a challenge it cannot answer, and nothing else.
 */
export async function openConnection(handshake: RunningHandshake): Promise<Connection> {
  const connection = new Connection(connect({ port: handshake.port, host: '127.0.0.1', noDelay: true }));
  const timer = setTimeout(() => connection.end('it did not answer the challenge'), proofTimeoutMs);
  try {
    await prove(connection, handshake);
    return connection;
  } catch (error) {
    connection.end();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') throw new ConnectFailure('unreachable', message);
    throw new ConnectFailure('unproved', message === closed ? `${closed}, ${whyClosed}` : message);
  } finally {
    clearTimeout(timer);
  }
}

const proofTimeoutMs = 5_000;
const closed = 'it closed the connection';
const whyClosed =
  'as Trestle does when too many are open (Settings → Integrations → Connections to the server)';

async function prove(connection: Connection, handshake: RunningHandshake): Promise<void> {
  const challenge = createChallenge();
  let proof: string | undefined;
  const onHead = ({ status, headers }: AnswerHead) => {
    if (status !== 204) throw new Error('its answer is not a proof');
    proof = headers.get(proofHeader);
  };
  await connection.ask(
    `POST ${proofPath} HTTP/1.1\r\nHost: 127.0.0.1:${handshake.port}\r\n` +
      `${challengeHeader}: ${challenge}\r\nContent-Length: 0\r\n\r\n`,
    { onHead, onText: () => {} },
  );
  if (!verifyProof(handshake, challenge, proof)) throw new Error('its proof is wrong');
}

/** A socket, and the one request that is on it. */
export class Connection {
  readonly #socket: Socket;
  #reader: AnswerReader | undefined;
  #asked: PromiseWithResolvers<void> | undefined;
  #isOver = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket
      .on('data', (bytes) => this.#read(bytes as Buffer))
      .on('error', (error) => this.#fail(error))
      .on('end', () => this.end())
      .on('close', () => this.end());
  }

  /** Whether it can carry another request. */
  get isFree(): boolean {
    return !this.#isOver && !this.#asked;
  }

  /** Resolves when the answer is complete; rejects where it will never be. */
  ask(request: string, sink: AnswerSink): Promise<void> {
    const asked = Promise.withResolvers<void>();
    this.#asked = asked;
    this.#reader = new AnswerReader(sink);
    if (this.#isOver) this.end();
    else this.#socket.write(request);
    return asked.promise;
  }

  end(why = closed): void {
    this.#fail(new Error(why));
  }

  #read(bytes: Buffer): void {
    const asked = this.#asked;
    try {
      // Bytes that nobody asked for would be taken for the next answer.
      if (!asked || !this.#reader) throw new Error('it answered what nobody asked');
      if (!this.#reader.push(bytes)) return;
      this.#asked = undefined;
      // An answer that came before the whole request was sent leaves the rest of it on the way.
      if (this.#reader.isLast || this.#socket.writableLength > 0) this.end();
      asked.resolve();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #fail(error: Error): void {
    this.#isOver = true;
    this.#socket.destroy();
    this.#asked?.reject(error);
    this.#asked = undefined;
  }
}
