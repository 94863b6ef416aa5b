import { execFile } from 'node:child_process';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface DockerEngine {
  /** `host`: a container is one more process of this machine. `published`: it has a network and a user of its own. */
  network: 'host' | 'published';
  /** This machine's loopback as a container names it; null: no name reaches it. */
  loopbackName: string | null;
  /** In a virtual machine, whose view of our folders is not fit for a database's files. */
  isVirtual: boolean;
}

export type DockerAnswer = { engine: DockerEngine } | { unusable: string };

/** What `docker` speaks to; null: no client, or no engine that answers it. */
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

/** The part of `docker info` that decides. */
export interface DockerInfo {
  OSType?: string;
  OperatingSystem?: string;
  Name?: string;
  SecurityOptions?: string[] | null;
}

export interface ThisMachine {
  /** What the client's context or DOCKER_HOST names. */
  endpoint: string;
  platform: NodeJS.Platform;
  hostName: string;
}

/** A server must come up on our loopback, so an engine elsewhere is of no use. */
export function judgeEngine(info: DockerInfo, here: ThisMachine): DockerAnswer {
  if (/^(ssh|tcp|https?):/.test(here.endpoint))
    return { unusable: `Docker's engine is reached over the network (${here.endpoint})` };
  if (info.OSType !== 'linux') return { unusable: 'Docker runs no Linux containers here' };
  if (here.platform !== 'linux' || info.OperatingSystem === 'Docker Desktop')
    return { engine: { network: 'published', loopbackName: 'host.docker.internal', isVirtual: true } };
  if (info.Name !== here.hostName)
    return { unusable: `Docker's engine is outside of this machine or container (in ${info.Name})` };
  // There `host` is the engine's own namespace, and by default nothing in it reaches the machine's loopback.
  if (info.SecurityOptions?.some((option) => option.startsWith('name=rootless')))
    return { engine: { network: 'published', loopbackName: null, isVirtual: false } };
  return { engine: { network: 'host', loopbackName: '127.0.0.1', isVirtual: false } };
}
