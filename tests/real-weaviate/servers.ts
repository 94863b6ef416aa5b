import type { Session } from '@trestle/driver-kit';
import { describe, inject } from 'vitest';
import { driver } from '../../drivers/weaviate/src/driver.ts';
import { relayedDial } from '../../packages/driver-host/src/testing/relayed-dial.ts';
import { testedVersions } from '../../scripts/weaviate/versions.ts';
import type { TestServer } from './global-setup.ts';

/** Runs the suite on each tested version. A missing version is shown as skipped. */
export function describeOnWeaviate(name: string, suite: (server: TestServer) => void): void {
  const servers = inject('weaviateServers');
  for (const version of testedVersions) {
    const server = servers.find((one) => one.version === version);
    describe.skipIf(!server)(`${name} on Weaviate ${version}`, () => {
      // Vitest also collects a skipped suite, but runs no test on this placeholder.
      suite(server ?? { version, binary: '', port: 1, graphqlPort: 1 });
    });
  }
}

export const call = { signal: new AbortController().signal };

export function connect(
  port: number,
  fields: Record<string, string | number | boolean> = {},
): Promise<Session> {
  const all = { host: '127.0.0.1', port, authMethod: 'none', sslMode: 'disabled', ...fields };
  return driver.connect({ fields: all, log: () => {}, dial: relayedDial(all) }, call);
}

/** A request of the test itself, without the driver, to prepare data or to check it. A 404 does not throw. */
export async function rest(port: number, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok && answer.status !== 404) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}
