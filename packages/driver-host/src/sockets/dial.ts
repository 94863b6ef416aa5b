import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionFields, DriverError, type Manifest } from '@trestle/driver-kit';

type NetworkFields = Exclude<Manifest['process']['network'], false>;

/** The address of a connection's server: the values of the two fields that the driver's manifest names. */
export interface DialTarget {
  host: string;
  port: number;
}

/** The stages of each dial, in order. No event follows `failed`. A cancelled dial never reports `failed`. */
export type DialEvent =
  | { stage: 'resolve' | 'connect'; state: 'begun' | 'done' }
  | { stage: 'resolve' | 'connect'; state: 'failed'; reason: DialFailure; message: string };

export type DialFailure = 'resolve_failed' | 'refused' | 'timed_out' | 'unreachable';

/** Throws if the host or the port is missing or invalid. */
export function dialTarget(network: NetworkFields, fields: ConnectionFields): DialTarget {
  const host = String(fields[network.host] ?? '')
    .trim()
    .replace(/^\[(.*)\]$/, '$1');
  const port = Number(fields[network.port]);
  if (!/^[\w.:%-]+$|^[\p{L}\p{M}\p{N}_.-]+$/u.test(host))
    throw invalid(`"${host}" is not a host name or an address`);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid('The port must be from 1 to 65535');
  return { host, port };
}

export function addressOf({ host, port }: DialTarget): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Connects to the target. Rejects with `connection_failed` and the reason, or with `cancelled`. */
export async function dial(
  target: DialTarget,
  options: { signal: AbortSignal; timeoutMs: number; onEvent?: (event: DialEvent) => void },
): Promise<Socket> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  let stage: DialEvent['stage'] = 'resolve';
  try {
    signal.throwIfAborted();
    options.onEvent?.({ stage, state: 'begun' });
    const addresses = await resolve(target.host, signal);
    options.onEvent?.({ stage, state: 'done' });
    stage = 'connect';
    options.onEvent?.({ stage, state: 'begun' });
    signal.throwIfAborted();
    const socket = await connected(target, addresses, signal);
    options.onEvent?.({ stage, state: 'done' });
    return socket;
  } catch (error) {
    if (options.signal.aborted) throw new DriverError({ code: 'cancelled', message: 'Cancelled' });
    const code = timeout.aborted ? 'ETIMEDOUT' : codeOf(error);
    const { reason, detail, hint } = wordsFor(code, addressOf(target), stage);
    const message = `Connection failed: ${detail}`;
    options.onEvent?.({ stage, state: 'failed', reason, message });
    throw new DriverError({ code: 'connection_failed', message, hint }, { cause: error });
  }
}

interface Address {
  address: string;
  family: number;
}

async function resolve(host: string, signal: AbortSignal): Promise<Address[]> {
  if (isIP(host)) return [{ address: host, family: isIP(host) }];
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    // A DNS lookup cannot be cancelled. After an abort, its answer is ignored.
    return await Promise.race([lookup(host, { all: true }), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function connected({ host, port }: DialTarget, addresses: Address[], signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    allowHalfOpen: true,
    // Uses the addresses of the previous stage: a second lookup could return others.
    lookup: (_host, { all }, done) =>
      all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family),
  });
  const onAbort = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  socket.once('error', reject).once('connect', () => {
    socket.off('error', reject);
    resolve(socket);
  });
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

function codeOf(error: unknown): string {
  // There is one error per address that was tried. The first one counts.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return (error as NodeJS.ErrnoException).code ?? '';
}

function wordsFor(
  code: string,
  address: string,
  stage: DialEvent['stage'],
): { reason: DialFailure; detail: string; hint: string } {
  const network = 'Check the network.';
  if (code === 'ETIMEDOUT' && stage === 'resolve')
    return {
      reason: 'timed_out',
      detail: `the host of ${address} could not be looked up in time`,
      hint: network,
    };
  if (code === 'ETIMEDOUT')
    return {
      reason: 'timed_out',
      detail: `${address} does not answer`,
      hint: 'Check the network and the port.',
    };
  if (code === 'ENOTFOUND')
    return {
      reason: 'resolve_failed',
      detail: `the host of ${address} is unknown`,
      hint: 'Check the spelling of Host.',
    };
  if (stage === 'resolve')
    return {
      reason: 'resolve_failed',
      detail: `the host of ${address} could not be looked up`,
      hint: network,
    };
  if (code === 'ECONNREFUSED')
    return {
      reason: 'refused',
      detail: `no server at ${address}`,
      hint: 'Check host and port, and that the server runs.',
    };
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH')
    return { reason: 'unreachable', detail: `no route to ${address}`, hint: network };
  return {
    reason: 'unreachable',
    detail: `${address} cannot be reached (${code || 'no reason given'})`,
    hint: network,
  };
}

function invalid(message: string): DriverError {
  return new DriverError({ code: 'invalid_argument', message });
}
