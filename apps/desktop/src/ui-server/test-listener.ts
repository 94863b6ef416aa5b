import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Core, CoreEvent, DataAccess } from '@trestle/core';
import { JobList } from '@trestle/core/testing/jobs';
import { packWire, rowSetFromCells } from '@trestle/driver-kit';
import { pino } from 'pino';
import type { AppInfo } from '../api/app-info.ts';
import { serveUi } from './server.ts';

/** Every exported file contains this text. */
export const exportedText = 'a row of the export';

export const settingsPath = '/api/settings.get';

export const browseBody = packWire({
  connectionId: 'c1',
  request: { table: 't', filters: [], match: 'all', sort: [], limit: 1, offset: 0 },
});

export const exportBody = packWire({
  connectionId: 'c1',
  request: { table: 't', filters: [], match: 'all', sort: [], columns: ['n'] },
  rows: { kind: 'all' },
  format: 'csv',
  escapeFormulas: true,
});

interface AskOptions {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
}

/** For tests: the real listener. Its core is a fake with settings, a browse that runs until its abort, and an export. */
export async function openTestListener() {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-ui-'));
  mkdirSync(join(folder, 'ui', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'ui', 'index.html'), '<!doctype html><title>Trestle</title>');
  writeFileSync(join(folder, 'ui', 'assets', 'index-1a2b.js'), 'export {};');
  writeFileSync(join(folder, 'outside.txt'), 'not for the window');

  const below = createBelow(folder);
  const serve = (port: number) => serveUi({ context: below, folder: join(folder, 'ui'), port });
  let server = await serve(0);

  /** Uses node:http, since fetch sets the Host itself and resolves a path with dots. */
  function open(path: string, { method = 'GET', headers = {} }: AskOptions = {}) {
    const { hostname, port } = new URL(server.address);
    return httpRequest({ hostname, port, path, method, headers });
  }

  async function ask(path: string, options: AskOptions = {}) {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      open(path, options).once('response', resolve).once('error', reject).end(options.body);
    });
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    return { status: answer.statusCode!, headers: answer.headers, text };
  }

  /** The headers that a page sends after it used a new link. */
  async function enter(): Promise<{ 'x-trestle-key': string; origin: string }> {
    const answer = await tryEntry(proof());
    return { 'x-trestle-key': JSON.parse(answer.text).key, origin: origin() };
  }

  function tryEntry(text: string, headers: OutgoingHttpHeaders = {}) {
    const body = JSON.stringify({ proof: text });
    return ask('/enter', { method: 'POST', headers: { origin: origin(), ...headers }, body });
  }

  /** The secret of a new link. */
  const proof = () => new URL(server.createLink('link')).hash.replace('#key=', '');
  const origin = () => server.address.slice(0, -1);

  return {
    ...below.seen,
    folder,
    open,
    ask,
    enter,
    tryEntry,
    proof,
    code: () => server.createCode(),
    endWindows: () => server.endWindows(),
    address: () => server.address,
    origin,
    async restart(port = 0) {
      await server.close();
      server = await serve(port);
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The parts behind the listener. The tests check `seen`. */
function createBelow(dataDirectory: string) {
  const browsing = Promise.withResolvers<DataAccess>();
  const listeners = new Set<(event: CoreEvent) => void>();
  const pages = new Set<symbol>();
  const core = {
    settings: { get: () => ({ theme: 'dark' }) },
    uiState: { get: () => undefined, set: () => {} },
    events: {
      on(listener: (event: CoreEvent) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    jobs: new JobList({ events: { emit: () => {} }, log: pino({ level: 'silent' }) }),
    data: {
      async count() {
        return 1;
      },
      async describe() {
        return { columns: [] };
      },
      async *exportRows() {
        yield rowSetFromCells([{ name: 'n', type: 'text', nativeType: 'text' }], [[exportedText]]);
      },
      browse(access: DataAccess) {
        browsing.resolve(access);
        return new Promise((_, reject) =>
          access.signal.addEventListener('abort', () => reject(access.signal.reason)),
        );
      },
    },
  } as unknown as Core;
  const app: AppInfo = {
    version: '0.0.0',
    dataDirectory,
    mcp: () => ({ state: 'disabled' }),
    quit: () => {},
    tryPreferredMcpPort: async () => true,
    endWindows: () => {},
    pageOpened() {
      const page = Symbol('page');
      pages.add(page);
      return () => pages.delete(page);
    },
    resetSample: async () => {},
    sampleSearches: () => [],
    sampleQuerySets: () => [],
    clients: () => [],
    onOpenTable: () => () => {},
    reportError: () => {},
  };
  return { core, app, seen: { browsing: browsing.promise, listeners, pages } };
}
