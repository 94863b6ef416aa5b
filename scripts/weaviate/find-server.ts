import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildServer, cachedServer, fillCacheFrom } from './cache.ts';
import { askDocker, type DockerEngine } from './docker.ts';

const run = promisify(execFile);

export type FoundServer =
  /** A running server. Trestle does not start or stop it. */
  | { kind: 'url'; url: string }
  | { kind: 'binary'; binary: string; origin: string }
  | { kind: 'docker'; image: string; engine: DockerEngine };

/** Finds a real server: the first place that has one wins. The last resort is a build. */
export async function findServer(version: string, say: (line: string) => void): Promise<FoundServer> {
  const url = process.env.WEAVIATE_URL;
  if (url) return { kind: 'url', url };
  const packed = process.env.WEAVIATE_BINARIES;
  if (packed && !cachedServer(version)) await fillCacheFrom(packed, say, version);
  const cached = cachedServer(version);
  if (cached) return { kind: 'binary', binary: cached, origin: 'the cache' };
  if (packed) say(`WEAVIATE_BINARIES (${packed}) has no server ${version} for this machine.`);
  const onPath = await locate('weaviate-server');
  if (onPath) return { kind: 'binary', binary: onPath, origin: 'PATH' };
  const docker = await askDocker();
  if (docker && 'engine' in docker)
    return { kind: 'docker', image: `semitechnologies/weaviate:${version}`, engine: docker.engine };
  if (docker) say(`${docker.unusable}, so Docker is not used.`);
  return { kind: 'binary', binary: await buildServer(version, say, withoutGo), origin: 'a build' };
}

const withoutGo =
  'This version of Weaviate was not found on this machine. Install or start Docker, or install Go 1.26 or newer to build it, or set WEAVIATE_URL to a running server';

async function locate(name: string): Promise<string | null> {
  try {
    const { stdout } = await run(process.platform === 'win32' ? 'where' : 'which', [name]);
    return stdout.split('\n')[0]?.trim() || null;
  } catch {
    return null;
  }
}
