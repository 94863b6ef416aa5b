import { once } from 'node:events';
import { access, constants, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer, cachedServer, fillCacheFrom } from './cache.ts';
import { getImage } from './container.ts';
import { type FoundServer, findServer } from './find-server.ts';
import { startInference } from './inference.ts';
import { isFree } from './ports.ts';
import { startWeaviate } from './server.ts';
import { newestWeaviate, testedVersions } from './versions.ts';

const help = `Starts a real Weaviate on this machine, with word vectors for nearText.

  npm run weaviate -- [--version V] [--port N] [--api-key KEY] [--data FOLDER]
  npm run weaviate -- --fill-cache     gets every version that the tests use, and starts no server

The server comes from the cache, the packed servers in the folder WEAVIATE_BINARIES, PATH, Docker, or a build with Go,
in this order. If WEAVIATE_URL names a running server, no server is started.
Without --data, the data stays in ~/.cache/trestle, or in a Docker volume if Docker runs in a virtual machine.`;

const { values: options } = parseArgs({
  options: {
    version: { type: 'string', default: newestWeaviate },
    port: { type: 'string', default: '8080' },
    'api-key': { type: 'string' },
    data: { type: 'string' },
    'fill-cache': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string) => console.log(line);

/** The message for --fill-cache. It does not suggest Docker or WEAVIATE_URL, since they do not fill the cache. */
const withoutGo =
  'Weaviate cannot be built. Install Go 1.26 or newer, or name a folder of packed servers in WEAVIATE_BINARIES';

try {
  if (options.help) say(help);
  else if (options['fill-cache']) await fillCache();
  else await start(await findServer(options.version, say));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Gets each tested version that the cache lacks: from the folder WEAVIATE_BINARIES, or else by a build. */
async function fillCache(): Promise<void> {
  if (process.env.WEAVIATE_BINARIES) await fillCacheFrom(process.env.WEAVIATE_BINARIES, say);
  for (const version of testedVersions) {
    if (!cachedServer(version)) await buildServer(version, say, withoutGo);
    say(`Weaviate ${version} is in the cache`);
  }
}

async function start(found: FoundServer): Promise<void> {
  if (found.kind === 'url') return say(`WEAVIATE_URL names a server already: ${found.url}`);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  try {
    await serve(found, stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  }
}

async function serve(found: Exclude<FoundServer, { kind: 'url' }>, signal: AbortSignal): Promise<void> {
  const port = await wantedPort();
  const inVolume = found.kind === 'docker' && found.engine.isVirtual && options.data === undefined;
  const data = inVolume ? `trestle-weaviate-${options.version}` : await wantedFolder();
  say(`Starting ${nameOf(found)} …`);
  if (found.kind === 'docker') await getImage(found.image, signal);
  const inference = await startInference();
  try {
    const server = await startWeaviate({
      ...(found.kind === 'docker' ? { container: found } : { binary: found.binary }),
      port,
      dataFolder: data,
      apiKey: options['api-key'],
      inferenceUrl: inference.url,
      signal,
    });
    try {
      if (found.kind === 'docker' && found.engine.loopbackName === null)
        say('This server has no nearText: in a rootless Docker engine, it cannot reach the word vectors.');
      const place = inVolume ? `the volume ${data}` : data;
      const version = await versionOf(server.url);
      say(`Weaviate ${version} answers at ${server.url}; its data is in ${place}. Ctrl-C stops it.`);
      await Promise.race([server.ended(), signal.aborted || once(signal, 'abort')]);
      if (!signal.aborted) throw new Error(`Weaviate ended by itself:\n${server.log()}`);
    } finally {
      await server.stop();
    }
  } finally {
    await inference.close();
  }
}

async function wantedPort(): Promise<number> {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`--port takes a number from 1 to 65535, not ${options.port}`);
  if (!(await isFree(port)))
    throw new Error(
      `Port ${port} is taken. End the program that listens there, or name another port with --port`,
    );
  return port;
}

/** Checks that the folder is writable, because Weaviate's own message would not name the folder. */
async function wantedFolder(): Promise<string> {
  const folder = resolve(
    options.data ?? join(homedir(), '.cache', 'trestle', `weaviate-data-${options.version}`),
  );
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return folder;
  } catch (error) {
    throw new Error(
      `The data folder cannot be used: ${(error as Error).message}. Name another folder with --data`,
    );
  }
}

function nameOf(found: Exclude<FoundServer, { kind: 'url' }>): string {
  if (found.kind === 'docker') return `Weaviate ${options.version} from ${found.image}`;
  // Nobody has checked the version of a server on PATH.
  return found.origin === 'PATH' ? found.binary : `Weaviate ${options.version} from ${found.origin}`;
}

/** Asks the server itself: a server on PATH may have any version. */
async function versionOf(url: string): Promise<string> {
  const key = options['api-key'];
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/v1/meta`, { headers });
  return ((await answer.json()) as { version: string }).version;
}
