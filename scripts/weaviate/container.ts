import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { DockerEngine } from './docker.ts';
import { closedGrpc, type ServerSettings, settingsOf } from './settings.ts';
import type { Started } from './started.ts';

const run = promisify(execFile);

export interface Container {
  engine: DockerEngine;
  image: string;
}

const advice = `Check --version and the network, or do without Docker: set WEAVIATE_URL to a running server,
or get the tested servers with npm run weaviate -- --fill-cache.`;

/** Pulls the image if it is missing, with Docker's progress in the terminal. */
export async function getImage(image: string, signal: AbortSignal): Promise<void> {
  const isHere = await run('docker', ['image', 'inspect', image], { signal }).then(
    () => true,
    () => false,
  );
  if (isHere) return;
  const pull = spawn('docker', ['pull', image], { stdio: ['ignore', 'inherit', 'pipe'], signal });
  let said = '';
  pull.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const [code] = await once(pull, 'close');
  if (code === 0) return;
  throw new Error(`Docker could not get ${image}:\n${said.trim()}\n${advice}`);
}

interface ContainerLaunch {
  port: number;
  firstClusterPort: number;
  dataFolder: string;
  settings: ServerSettings;
}

/** `docker run` in the foreground: its lifetime and its output are the server's. */
export function startContainer(container: Container, launch: ContainerLaunch): Started {
  const name = `trestle-weaviate-${randomBytes(6).toString('hex')}`;
  const identity = ['--rm', '--pull', 'never', '--name', name];
  const child = spawn('docker', ['run', ...identity, ...runArguments(container, launch)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return {
    process: child,
    async stop() {
      const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      await docker('stop', name);
      child.kill('SIGTERM');
      await gone;
      // Between its creation and its start, a container cannot be stopped, and --rm does not apply yet.
      await docker('rm', '--force', name);
    },
    kill() {
      spawnSync('docker', ['rm', '--force', name], { stdio: 'ignore', timeout: 10_000 });
      child.kill('SIGKILL');
    },
  };
}

/** Ignores errors: most often, the container is already gone. */
async function docker(...args: string[]): Promise<void> {
  await run('docker', args).catch(() => {});
}

function runArguments({ engine, image }: Container, launch: ContainerLaunch): string[] {
  const { port, firstClusterPort, settings } = launch;
  const { loopbackName } = engine;
  const inferenceUrl = loopbackName ? settings.inferenceUrl?.replace('127.0.0.1', loopbackName) : undefined;
  // On its own network, a container publishes only the port of REST.
  const isHost = engine.network === 'host';
  const environment = settingsOf(
    { ...settings, inferenceUrl },
    { dataPath: '/data', firstClusterPort, grpcCertificates: isHost ? '/grpc' : null },
  );
  // On the host network, the container behaves like a local process: the current user owns its files, and no SELinux
  // label blocks the data folder.
  const [place, address] = isHost
    ? [
        ['--network', 'host', '--userns', 'host', '--security-opt', 'label=disable'].concat([
          '--user',
          `${process.getuid?.()}:${process.getgid?.()}`,
        ]),
        ['--host', '127.0.0.1', '--port', String(port)],
      ]
    : [
        ['-p', `127.0.0.1:${port}:8080`],
        ['--host', '0.0.0.0', '--port', '8080'],
      ];
  return place.concat(
    ['-v', `${launch.dataFolder}:/data`],
    isHost ? ['-v', `${closedGrpc}:/grpc:ro`] : [],
    Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    [image, '--scheme', 'http'],
    address,
  );
}
