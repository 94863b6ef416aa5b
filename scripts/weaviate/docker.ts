import { execFile } from 'node:child_process';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface DockerEngine {
  /** `host`: a container is like a process of this machine. `published`: it has its own network and user. */
  network: 'host' | 'published';
  /** The name of this machine's loopback inside a container. Null: there is none. */
  loopbackName: string | null;
  /** The engine runs in a virtual machine, whose shared folders are not safe for database files. */
  isVirtual: boolean;
}

type DockerAnswer = { engine: DockerEngine } | { unusable: string };

/** The engine that `docker` uses. Null: a `docker` command fails, for example because no engine runs. */
export async function askDocker(): Promise<DockerAnswer | null> {
  try {
    const { stdout } = await run('docker', ['info', '--format', '{{json .}}'], { timeout: 10_000 });
    const endpoint = await run('docker', ['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']);
    return judgeEngine(JSON.parse(stdout), {
      endpoint: endpoint.stdout.trim(),
      platform: process.platform,
      hostName: hostname(),
    });
  } catch {
    return null;
  }
}

/** The relevant part of `docker info`. */
export interface DockerInfo {
  OSType?: string;
  OperatingSystem?: string;
  Name?: string;
  SecurityOptions?: string[] | null;
}

export interface ThisMachine {
  /** The engine's address, from Docker's context or DOCKER_HOST. */
  endpoint: string;
  platform: NodeJS.Platform;
  hostName: string;
}

/** The server must listen on this machine's loopback, so a remote engine cannot be used. */
export function judgeEngine(info: DockerInfo, here: ThisMachine): DockerAnswer {
  if (/^(ssh|tcp|https?):/.test(here.endpoint))
    return { unusable: `Docker's engine is reached over the network (${here.endpoint})` };
  if (info.OSType !== 'linux') return { unusable: 'Docker runs no Linux containers here' };
  if (here.platform !== 'linux' || info.OperatingSystem === 'Docker Desktop')
    return { engine: { network: 'published', loopbackName: 'host.docker.internal', isVirtual: true } };
  if (info.Name !== here.hostName)
    return { unusable: `Docker's engine is outside of this machine or container (in ${info.Name})` };
  // For a rootless engine, the network `host` is the engine's own namespace, which by default cannot reach the
  // machine's loopback.
  if (info.SecurityOptions?.some((option) => option.startsWith('name=rootless')))
    return { engine: { network: 'published', loopbackName: null, isVirtual: false } };
  return { engine: { network: 'host', loopbackName: '127.0.0.1', isVirtual: false } };
}
