import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closedGrpc, type ServerSettings, settingsOf } from './settings.ts';
import type { Started } from './started.ts';

/** Paths of PEM files. */
export interface TlsFiles {
  certificate: string;
  key: string;
}

interface BinaryLaunch {
  port: number;
  firstClusterPort: number;
  dataFolder: string;
  settings: ServerSettings;
  tls?: TlsFiles;
}

export function startBinary(binary: string, launch: BinaryLaunch): Started {
  const { port, firstClusterPort, dataFolder, settings, tls } = launch;
  const address = tls
    ? ['--scheme', 'https', '--tls-host', '127.0.0.1', '--tls-port', String(port)].concat(
        ['--tls-certificate', tls.certificate],
        ['--tls-key', tls.key],
      )
    : ['--scheme', 'http', '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(binary, address, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...settingsOf(settings, { dataPath: dataFolder, firstClusterPort, grpcCertificates: closedGrpc }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return {
    process: child,
    async stop() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const stubborn = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(stubborn);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
