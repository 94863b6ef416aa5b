import { type AddressInfo, createServer, type Server } from 'node:net';

/** A port that the kernel chose, and the preferred port, which could not be used. */
interface KeptPort {
  preferred: number;
  port: number;
}

/** A store whose values survive a restart of the app. */
interface State {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

interface Wanted {
  preferred: number;
  state: State;
  key: string;
}

/**
 * Listens on 127.0.0.1 and returns the port: the stored one, else the preferred one, else one that the kernel chooses.
 * The kernel's choice is stored, so that links and configurations stay valid after a restart. If `preferred` changes,
 * the stored port is not used.
 */
export async function listenOnKeptPort(server: Server, { preferred, state, key }: Wanted): Promise<number> {
  const kept = readKept(state, key);
  const before = kept?.preferred === preferred ? kept.port : undefined;
  if (before !== undefined && (await tryPort(server, before))) return before;
  if (await tryPort(server, preferred)) {
    if (kept) keep(state, key, null);
    return portOf(server);
  }
  await bind(server, 0);
  const port = portOf(server);
  keep(state, key, { preferred, port });
  return port;
}

/** Forgets the stored port if the preferred port is free. Returns whether the preferred port is free. */
export async function forgetKeptPort({ preferred, state, key }: Wanted): Promise<boolean> {
  const probe = createServer((socket) => socket.destroy());
  if (!(await tryPort(probe, preferred))) return false;
  await new Promise((resolve) => probe.close(resolve));
  keep(state, key, null);
  return true;
}

function readKept(state: State, key: string): KeptPort | undefined {
  const kept = state.get(key) as Partial<KeptPort> | undefined;
  return Number.isInteger(kept?.port) && Number.isInteger(kept?.preferred) ? (kept as KeptPort) : undefined;
}

/** If the port cannot be stored, for example on a full disk, the next run may listen on another port. */
function keep(state: State, key: string, kept: KeptPort | null): void {
  try {
    state.set(key, kept);
  } catch {}
}

async function tryPort(server: Server, port: number): Promise<boolean> {
  try {
    await bind(server, port);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    return false;
  }
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
