import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Outside the repository, so that a new clone finds the servers of an earlier one. */
function cacheFolder(): string {
  return process.env.TRESTLE_WEAVIATE_CACHE ?? join(homedir(), '.cache', 'trestle', 'weaviate');
}

export function cachedServer(version: string): string | null {
  const path = join(cacheFolder(), version, binaryName);
  return existsSync(path) ? path : null;
}

/**
 * Unpacks the files `weaviate-server-<version>-<platform>.xz` that the folder's SHA256SUMS lists for this machine, and
 * that are not cached yet: all versions, or the version `only`. Throws if a sum is wrong.
 */
export async function fillCacheFrom(
  folder: string,
  say: (line: string) => void,
  only?: string,
): Promise<void> {
  if (!existsSync(join(folder, 'SHA256SUMS'))) return;
  const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
  for (const line of sums.split('\n')) {
    const [, sum, file, version] =
      /^([0-9a-f]{64})\s+\*?(weaviate-server-(\d+\.\d+\.\d+)-([\w-]+)\.xz)$/.exec(line) ?? [];
    if (!sum || !file || !version || (only !== undefined && version !== only)) continue;
    if (!file.endsWith(`-${platformName()}.xz`) || cachedServer(version)) continue;
    const packed = join(folder, file);
    if (!existsSync(packed)) continue;
    if ((await sha256(packed)) !== sum)
      throw new Error(`${file} does not have the sum that SHA256SUMS names`);
    say(`Unpacking Weaviate ${version} …`);
    await store(version, async (target) => {
      const xz = spawn('xz', ['-dc', packed], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = new Promise<void>((resolve, reject) => {
        xz.on('error', () => {
          const remedy = '`apt-get install xz-utils` on Debian and Ubuntu, `dnf install xz` on Fedora';
          reject(new Error(`Install xz to unpack Weaviate ${version}: ${remedy}`));
        });
        xz.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`xz ended with code ${code}`))));
      });
      await Promise.all([pipeline(xz.stdout, createWriteStream(target)), ended]);
    });
  }
}

/** Builds the server from its public Go module. Takes minutes. Fails with the message `withoutGo` if Go is missing. */
export async function buildServer(
  version: string,
  say: (line: string) => void,
  withoutGo: string,
): Promise<string> {
  await run('go', ['version']).catch(() => {
    throw new Error(withoutGo);
  });
  say(`Building Weaviate ${version} with Go: about 8 minutes and 3.5 GB of caches, once …`);
  const started = Date.now();
  const ticker = setInterval(
    () => say(`  still building, ${Math.round((Date.now() - started) / 1000)} s`),
    30_000,
  );
  const folder = join(cacheFolder(), `.build-${version}-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    const module = `github.com/weaviate/weaviate/cmd/weaviate-server@v${version}`;
    await run('go', ['install', '-ldflags=-s -w', module], {
      env: { ...process.env, GOBIN: folder },
      maxBuffer: 100_000_000,
    });
    return await store(version, (target) => rename(join(folder, binaryName), target));
  } finally {
    clearInterval(ticker);
    await rm(folder, { recursive: true, force: true });
  }
}

const binaryName = process.platform === 'win32' ? 'weaviate-server.exe' : 'weaviate-server';

function platformName(): string {
  return `${process.platform}-${process.arch}`;
}

/** Puts a server into the cache atomically: an interrupted run leaves nothing that looks complete. */
async function store(version: string, write: (target: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), version);
  const fresh = join(folder, `.fresh-${process.pid}`);
  await mkdir(folder, { recursive: true });
  await write(fresh);
  await chmod(fresh, 0o755);
  await rename(fresh, join(folder, binaryName));
  return join(folder, binaryName);
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
