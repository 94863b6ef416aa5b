import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChangeOutcome, ChangeSet } from '@trestle/driver-kit';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type CoreOptions, createCore } from '../core.ts';
import type {
  Caller,
  ConnectionDraft,
  Core,
  CoreEvent,
  DataAccess,
  PendingApproval,
  Permission,
  SessionStatus,
} from '../types.ts';
import { writeFixtureDriver } from './fixture-driver.ts';

export const root = join(import.meta.dirname, '..', '..', '..', '..');
export const hostEntry = join(root, 'dist', 'driver-host.js');

export const person: Caller = { kind: 'person' };

export function client(changes: Partial<Extract<Caller, { kind: 'client' }>['token']> = {}): Caller {
  const permission: Permission = 'readWrite';
  const token = {
    kind: 'user' as const,
    id: 'token-1',
    name: 'My token',
    permission,
    allowlist: null,
    ...changes,
  };
  return { kind: 'client', token, clientName: 'Some client', process: null };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-core-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const fixtureDraft: ConnectionDraft = {
  name: 'Fixture',
  driver: 'fixture',
  fields: { host: 'db.example', auth: 'apiKey', apiKey: 'hunter2-secret' },
  externalClients: 'readWrite',
  aiPolicy: 'alwaysAllow',
  safeMode: 'off',
  color: null,
};

/** A core, by default with the fixture driver and a new data directory. It closes at the end of the test. */
export async function testCore(options: Partial<CoreOptions> & { serial?: boolean } = {}) {
  const folder = temporaryFolder();
  const home = options.home ?? join(folder, 'home');
  const driver = writeFixtureDriver(join(folder, 'fixture'), options.serial ? { concurrency: 'serial' } : {});
  const logged: string[] = [];
  const core = await createCore({
    home,
    hostEntry,
    bundledDrivers: [driver.directory],
    secretStore: 'file',
    log: pino({ level: 'debug' }, { write: (line) => logged.push(line) }),
    ...options,
    timing: { healthMs: 3_600_000, backoffMs: () => 10, ...options.timing },
  });
  onTestFinished(() => core.close());
  const events: CoreEvent[] = [];
  core.events.on((event) => events.push(event));
  return { core, home, behave: driver.behave, logged, events, driver };
}

export function accessTo(
  connectionId: string,
  caller: Caller = person,
  signal = new AbortController().signal,
): DataAccess {
  return { caller, connectionId, signal };
}

/** The outcomes of a whole save, in the order of arrival. */
export async function saved(core: Core, access: DataAccess, changes: ChangeSet): Promise<ChangeOutcome[]> {
  const reports = await Array.fromAsync(core.data.applyChanges(access, changes));
  return reports.flatMap(({ outcomes }) => outcomes);
}

/** Waits until at least this many questions are open. Returns all open questions. */
export async function questions(core: Core, count = 1): Promise<PendingApproval[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (core.approvals.pending().length >= count) resolve();
  };
  const stop = core.events.on(look);
  look();
  await promise;
  stop();
  return core.approvals.pending();
}

/** The first status that matches, now or later. */
export function statusWhere(
  core: Core,
  connectionId: string,
  fits: (status: SessionStatus) => boolean,
): Promise<SessionStatus> {
  const now = core.sessions.status(connectionId);
  if (fits(now)) return Promise.resolve(now);
  return new Promise((resolve) => {
    const stop = core.events.on((event) => {
      if (
        event.type !== 'sessionChanged' ||
        event.status.connectionId !== connectionId ||
        !fits(event.status)
      )
        return;
      stop();
      resolve(event.status);
    });
  });
}

/** The content of all files in the folder, to check for secrets. */
export function bytesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
