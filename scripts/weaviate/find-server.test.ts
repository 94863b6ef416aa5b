import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findServer } from './find-server.ts';

let folder: string;
const said: string[] = [];
const find = () => findServer('1.39.0', (line) => said.push(line));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trestle-find-'));
  said.length = 0;
  vi.stubEnv('WEAVIATE_URL', '');
  vi.stubEnv('WEAVIATE_BINARIES', '');
  vi.stubEnv('TRESTLE_WEAVIATE_CACHE', join(folder, 'cache'));
  vi.stubEnv('PATH', `${join(folder, 'bin')}:/usr/bin:/bin`);
  await program('bin/docker', 'echo Cannot connect to the Docker daemon >&2; exit 1');
  await program('bin/go', '[ "$1" = version ] || printf built > "$GOBIN/weaviate-server"');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function program(path: string, script: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const engine = (endpoint: string) => {
  const info = JSON.stringify({ OSType: 'linux', OperatingSystem: 'Debian', Name: hostname() });
  return program('bin/docker', `case $1 in info) echo '${info}';; context) echo ${endpoint};; esac`);
};

test('a server is looked for at WEAVIATE_URL, then in the cache, on PATH and in Docker, and else built', async () => {
  const built = { kind: 'binary', binary: join(folder, 'cache/1.39.0/weaviate-server'), origin: 'a build' };
  expect(await find()).toEqual(built);
  expect(await readFile(built.binary, 'utf8')).toBe('built');
  await rm(join(folder, 'cache'), { recursive: true });

  await engine('unix:///var/run/docker.sock');
  expect(await find()).toMatchObject({ kind: 'docker', image: 'semitechnologies/weaviate:1.39.0' });

  const onPath = await program('bin/weaviate-server', '');
  expect(await find()).toEqual({ kind: 'binary', binary: onPath, origin: 'PATH' });

  const cached = await program('cache/1.39.0/weaviate-server', '');
  expect(await find()).toEqual({ kind: 'binary', binary: cached, origin: 'the cache' });

  vi.stubEnv('WEAVIATE_URL', 'http://far:8080');
  expect(await find()).toEqual({ kind: 'url', url: 'http://far:8080' });
});

test('a cached server of a version that was not requested is not used', async () => {
  await program('cache/1.27.27/weaviate-server', '');
  expect(await find()).toMatchObject({ origin: 'a build' });
});

test('a Docker engine on another machine is not used, and the reason is printed', async () => {
  await engine('ssh://me@far');
  expect(await find()).toMatchObject({ origin: 'a build' });
  expect(said[0]).toBe("Docker's engine is reached over the network (ssh://me@far), so Docker is not used.");
});

test('without a server, Docker and Go, the message says what to install', async () => {
  await program('bin/go', 'exit 127');
  await expect(find()).rejects.toThrow('Install or start Docker, or install Go 1.26 or newer to build it');
});

async function packedServers(): Promise<void> {
  const packed = join(folder, 'packed');
  await mkdir(packed);
  const server = await program('server', 'echo packed');
  const name = `weaviate-server-1.39.0-${process.platform}-${process.arch}.xz`;
  await writeFile(join(packed, name), execFileSync('xz', ['-c', server]));
  const sum = createHash('sha256')
    .update(await readFile(join(packed, name)))
    .digest('hex');
  await writeFile(join(packed, 'SHA256SUMS'), `${sum}  ${name}\n`);
  vi.stubEnv('WEAVIATE_BINARIES', packed);
}

test('packed servers need xz, and the message says how to install it', async () => {
  await packedServers();
  vi.stubEnv('PATH', join(folder, 'bin'));
  await expect(find()).rejects.toThrow('Install xz to unpack Weaviate 1.39.0: `apt-get install xz-utils`');
});

test('packed servers of WEAVIATE_BINARIES are unpacked if the cache has none', async () => {
  await packedServers();
  const binary = join(folder, 'cache/1.39.0/weaviate-server');
  expect(await find()).toEqual({ kind: 'binary', binary, origin: 'the cache' });
  expect(await readFile(binary, 'utf8')).toContain('echo packed');

  vi.stubEnv('WEAVIATE_BINARIES', folder);
  await rm(join(folder, 'cache'), { recursive: true });
  expect(await find()).toMatchObject({ origin: 'a build' });
  expect(said.at(-2)).toBe(`WEAVIATE_BINARIES (${folder}) has no server 1.39.0 for this machine.`);
});
