import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer, cachedServer, fillCacheFrom } from './cache.ts';
import { type FoundServer, findServer } from './find-server.ts';
import { startInference } from './inference.ts';
import { startWeaviate } from './server.ts';
import { newestWeaviate, testedVersions } from './versions.ts';

const help = `Starts a real Weaviate on this machine, with vectors for nearText from the sample's word vectors.

  npm run weaviate -- [--version V] [--port N] [--api-key KEY] [--data FOLDER]
  npm run weaviate -- --fill-cache     gets every version the tests use, and starts none

The server comes from WEAVIATE_URL, the cache, PATH, Docker, or a build with Go, whichever is first.`;

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

if (options.help) say(help);
else if (options['fill-cache']) await fillCache();
else await start(await findServer(options.version, say));

/** For the tests: from a folder of packed servers where one is named, else by a build. */
async function fillCache(): Promise<void> {
  if (process.env.WEAVIATE_BINARIES) await fillCacheFrom(process.env.WEAVIATE_BINARIES, say);
  for (const version of testedVersions) {
    if (!cachedServer(version)) await buildServer(version, say);
    say(`Weaviate ${version} is in the cache`);
  }
}

async function start(found: FoundServer): Promise<void> {
  if (found.kind === 'url') return say(`WEAVIATE_URL names a server already: ${found.url}`);
  const port = Number(options.port);
  const dataFolder = options.data ?? join(homedir(), '.cache', 'trestle', `weaviate-data-${options.version}`);
  if (found.kind === 'docker') return runDocker(found.image, port, dataFolder);
  say(`Starting Weaviate ${options.version} from ${found.origin} …`);
  const inference = await startInference();
  const server = await startWeaviate({
    binary: found.binary,
    port,
    dataFolder,
    apiKey: options['api-key'],
    inferenceUrl: inference.url,
  });
  say(`Weaviate ${options.version} answers at ${server.url}; its data is in ${dataFolder}. Ctrl-C stops it.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await server.stop();
      await inference.close();
    });
  }
}

function runDocker(image: string, port: number, dataFolder: string): void {
  say(`Starting ${image} with Docker; Ctrl-C stops it.`);
  const settings = options['api-key']
    ? [
        'AUTHENTICATION_APIKEY_ENABLED=true',
        `AUTHENTICATION_APIKEY_ALLOWED_KEYS=${options['api-key']}`,
      ].concat('AUTHENTICATION_APIKEY_USERS=trestle')
    : ['AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true'];
  const environment = [...settings, 'PERSISTENCE_DATA_PATH=/data', 'DEFAULT_VECTORIZER_MODULE=none'];
  const container = spawn(
    'docker',
    ['run', '--rm', '-p', `127.0.0.1:${port}:8080`, '-v', `${dataFolder}:/data`].concat(
      environment.flatMap((setting) => ['-e', setting]),
      image,
    ),
    { stdio: 'inherit' },
  );
  container.on('exit', (code) => process.exit(code ?? 1));
}
