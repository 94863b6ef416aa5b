import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startBinary, type TlsFiles } from './binary.ts';
import { type Container, startContainer } from './container.ts';
import { freePorts } from './ports.ts';
import type { ServerSettings } from './settings.ts';

type WeaviateOptions = ServerSettings & {
  /** For a container, this may also be the name of a volume. Defaults to a new folder that `stop` deletes. */
  dataFolder?: string;
  /** Defaults to a free port. */
  port?: number;
  /** Ends the wait for a server that is not ready yet, and stops the server. */
  signal?: AbortSignal;
} & (
    | { binary: string; tls?: TlsFiles; container?: undefined }
    | { container: Container; binary?: undefined; tls?: undefined }
  );

export interface WeaviateServer {
  url: string;
  port: number;
  /** The last part of the server's output. */
  log(): string;
  /** Resolves when the server exits, expected or not. */
  ended(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the server as kill -9 does. `restart` starts it again on the data that it left. */
  kill(): Promise<void>;
  /** Restarts the server on the same port and data, with the settings in `changes`. */
  restart(changes?: ServerSettings): Promise<void>;
}

export async function startWeaviate(options: WeaviateOptions): Promise<WeaviateServer> {
  const ownFolder = options.dataFolder === undefined;
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'trestle-weaviate-')));
  let current = options;
  const { port, firstClusterPort, ...first } = await launchOnFreePorts(options, dataFolder);
  let { running } = first;
  return {
    url: urlOf(options, port),
    port,
    log: () => running.log(),
    ended: () => running.ended,
    async stop() {
      await running.stop();
      if (ownFolder) await rm(dataFolder, { recursive: true, force: true });
    },
    async kill() {
      running.kill();
      await running.ended;
    },
    async restart(changes = {}) {
      await running.stop();
      current = { ...current, ...changes };
      running = await launch({ options: current, dataFolder, port, firstClusterPort });
    },
  };
}

/**
 * Another process may take a port between the check and the start. If so, tries again with other ports, but keeps the
 * `port` of the options.
 */
async function launchOnFreePorts(options: WeaviateOptions, dataFolder: string) {
  for (let tries = 1; ; tries++) {
    const port = options.port ?? (await freePorts(1));
    const firstClusterPort = await freePorts(5);
    try {
      return {
        running: await launch({ options, dataFolder, port, firstClusterPort }),
        port,
        firstClusterPort,
      };
    } catch (error) {
      if (tries === 3 || !(error as Error).message.includes('address already in use')) throw error;
    }
  }
}

interface Launch {
  options: WeaviateOptions;
  dataFolder: string;
  port: number;
  firstClusterPort: number;
}

interface Running {
  log(): string;
  ended: Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

async function launch({ options, dataFolder, port, firstClusterPort }: Launch): Promise<Running> {
  const common = { port, firstClusterPort, dataFolder, settings: options };
  const started = options.container
    ? startContainer(options.container, common)
    : startBinary(options.binary, { ...common, tls: options.tls });
  let log = '';
  const keep = (chunk: Buffer | string) => {
    log = (log + chunk).slice(-20_000);
  };
  started.process.stdout?.on('data', keep);
  started.process.stderr?.on('data', keep);
  process.once('exit', started.kill);
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    const over = () => {
      isOver = true;
      process.off('exit', started.kill);
      resolve();
    };
    // `exit` may come before the last output, which may name the reason for the exit. `close` comes after this output.
    started.process.once('close', over);
    started.process.once('error', (error) => {
      keep(error.message);
      over();
    });
  });
  const ready = `${urlOf(options, port)}/v1/.well-known/ready`;
  for (let attempt = 0; attempt < 600 && !options.signal?.aborted; attempt++) {
    if (isOver) throw new Error(`Weaviate ended before it was ready:\n${log}`);
    if (await isReady(ready)) return { log: () => log, ended, stop: started.stop, kill: started.kill };
    await wait(100);
  }
  await started.stop();
  options.signal?.throwIfAborted();
  throw new Error(`Weaviate did not become ready within 60 s:\n${log}`);
}

function urlOf(options: WeaviateOptions, port: number): string {
  return `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
}

async function isReady(url: string): Promise<boolean> {
  try {
    // `fetch` would refuse the test certificate.
    if (url.startsWith('https:')) return await answersOverTls(url);
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}

async function answersOverTls(url: string): Promise<boolean> {
  const { get } = await import('node:https');
  return await new Promise((resolve) => {
    get(url, { rejectUnauthorized: false, timeout: 2000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
