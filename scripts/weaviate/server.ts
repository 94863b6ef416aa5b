import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface WeaviateOptions {
  binary: string;
  /** Absent: anonymous access. */
  apiKey?: string;
  /** PEM files. */
  tls?: { certificate: string; key: string };
  maximumResults?: number;
  /** Of an inference endpoint for text2vec-transformers: gives the server `nearText`. */
  inferenceUrl?: string;
  /** Absent: a folder of its own that goes with the server. */
  dataFolder?: string;
  /** Absent: a free one. */
  port?: number;
  environment?: Record<string, string>;
}

export interface WeaviateServer {
  url: string;
  port: number;
  /** What the server printed last, for a failing test. */
  log(): string;
  stop(): Promise<void>;
  /** Stops it and starts it again on the same port and data, with these options changed. */
  restart(changes?: Partial<WeaviateOptions>): Promise<void>;
}

export async function startWeaviate(options: WeaviateOptions): Promise<WeaviateServer> {
  const ownFolder = options.dataFolder === undefined;
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'trestle-weaviate-')));
  const port = options.port ?? (await freePorts(1));
  const cluster = await freePorts(5);
  let current = options;
  let running = await launch({ options: current, dataFolder, port, cluster });
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    log: () => running.log(),
    async stop() {
      await end(running.process);
      if (ownFolder) await rm(dataFolder, { recursive: true, force: true });
    },
    async restart(changes = {}) {
      await end(running.process);
      current = { ...current, ...changes };
      running = await launch({ options: current, dataFolder, port, cluster });
    },
  };
}

interface Launch {
  options: WeaviateOptions;
  dataFolder: string;
  port: number;
  cluster: number;
}

async function launch(launch: Launch): Promise<{ process: ChildProcess; log(): string }> {
  const { options, port } = launch;
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const args = options.tls
    ? ['--scheme', 'https', '--tls-host', '127.0.0.1', '--tls-port', String(port)].concat([
        '--tls-certificate',
        options.tls.certificate,
        '--tls-key',
        options.tls.key,
      ])
    : ['--scheme', 'http', ...address];
  const child = spawn(options.binary, args, {
    env: environmentOf(launch),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  const keep = (chunk: Buffer) => {
    log = (log + chunk).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const stopWithUs = () => child.kill('SIGKILL');
  process.once('exit', stopWithUs);
  child.once('exit', () => process.off('exit', stopWithUs));
  const scheme = options.tls ? 'https' : 'http';
  for (let attempt = 0; attempt < 600; attempt++) {
    if (child.exitCode !== null) throw new Error(`Weaviate ended with code ${child.exitCode}:\n${log}`);
    if (await isReady(`${scheme}://127.0.0.1:${port}/v1/.well-known/ready`))
      return { process: child, log: () => log };
    await wait(100);
  }
  child.kill('SIGKILL');
  throw new Error(`Weaviate did not become ready within 60 s:\n${log}`);
}

/** Gossip and raft each need two neighbouring ports, or no leader is ever elected. */
function environmentOf({ options, dataFolder, cluster }: Launch): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PERSISTENCE_DATA_PATH: dataFolder,
    CLUSTER_HOSTNAME: 'node1',
    CLUSTER_IN_LOCALHOST: 'true',
    CLUSTER_ADVERTISE_ADDR: '127.0.0.1',
    CLUSTER_BIND_ADDR: '127.0.0.1',
    CLUSTER_GOSSIP_BIND_PORT: String(cluster),
    CLUSTER_DATA_BIND_PORT: String(cluster + 1),
    RAFT_PORT: String(cluster + 2),
    RAFT_INTERNAL_RPC_PORT: String(cluster + 3),
    RAFT_BOOTSTRAP_EXPECT: '1',
    GRPC_PORT: String(cluster + 4),
    GO_PROFILING_DISABLE: 'true',
    DISABLE_TELEMETRY: 'true',
    DEFAULT_VECTORIZER_MODULE: 'none',
    QUERY_MAXIMUM_RESULTS: String(options.maximumResults ?? 10_000),
    LOG_LEVEL: 'warning',
    ...(options.apiKey === undefined
      ? { AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED: 'true' }
      : {
          AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED: 'false',
          AUTHENTICATION_APIKEY_ENABLED: 'true',
          AUTHENTICATION_APIKEY_ALLOWED_KEYS: options.apiKey,
          AUTHENTICATION_APIKEY_USERS: 'trestle',
        }),
    ...(options.inferenceUrl && {
      ENABLE_MODULES: 'text2vec-transformers',
      TRANSFORMERS_INFERENCE_API: options.inferenceUrl,
    }),
    ...options.environment,
  };
}

async function isReady(url: string): Promise<boolean> {
  try {
    // A certificate made for a test is trusted by nobody: that it answers at all is what counts here.
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

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const stubborn = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await gone;
  clearTimeout(stubborn);
}

/** The first of `count` neighbouring ports that nobody listens on. */
async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const first = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (free.every(Boolean)) return first;
  }
  throw new Error('No free ports');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
