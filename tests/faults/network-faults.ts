import { randomUUID } from 'node:crypto';
import type { AppError, Core } from '@trestle/core';
import { type Change, rowAt } from '@trestle/driver-kit';
import { expect, onTestFinished } from 'vitest';
import { type BadAnswer, badAnswers } from './bad-answers.ts';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';
import { openCore, rest } from './neighbours.ts';
import { countEach, tally } from './tally.ts';

const objectCount = 300;
/** Each stalled call waits this long. All other calls must end earlier, even on a slow machine. */
const timeoutSeconds = 4;

/** The expected errors. The user reads the message and the hint. */
const words: Record<Exclude<BadAnswer, 'drip'>, { code: string; message: RegExp; hint?: RegExp }> = {
  cut: {
    code: 'connection_failed',
    message: /closed the connection/,
    hint: /Check that it still runs/,
  },
  stall: { code: 'timeout', message: /did not finish within 4 seconds/ },
  tooLong: { code: 'connection_failed', message: /closed the connection/, hint: /still runs/ },
  tooShort: { code: 'connection_failed', message: /is damaged or cut short/, hint: /Try again/ },
  half: { code: 'connection_failed', message: /is damaged or cut short/, hint: /Try again/ },
  html: {
    code: 'connection_failed',
    message: /sent a web page in place of data/,
    hint: /proxy or a sign-in page/,
  },
  error500: {
    code: 'query_failed',
    message: /^runtime error: index out of range$/,
    hint: /server's log/,
  },
  page502: { code: 'query_failed', message: /web page .*HTTP 502/, hint: /not ready/ },
  wrongTypes: {
    code: 'query_failed',
    message: /does not have the form of Weaviate's/,
    hint: /Check host and port/,
  },
};

/**
 * Tries each bad answer with each call, except a stalled export. The error or the result must be right, and the next
 * call must work. A save must report its stored rows as applied.
 */
export async function proveNetworkFaults(port: number, rounds: number): Promise<void> {
  const table = `Faulty${randomUUID().slice(0, 8)}`;
  await createTable(port, table);
  const proxy = await startHttpProxy(port);
  onTestFinished(() => proxy.close());
  const { core, connectionId } = await openCore(proxy);
  core.settings.update({ statementTimeoutSeconds: timeoutSeconds });
  const at = { caller: { kind: 'person' as const }, connectionId, signal: new AbortController().signal };
  const calls = callsOf(core, at, table);
  const right = new Map<string, unknown>();
  for (const [name, call] of Object.entries(calls)) right.set(name, await call());
  const seen: string[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const fate of badAnswers) {
      let tried = 0;
      for (const [name, call] of Object.entries(calls)) {
        // A stalled export waits for the driver's own timeout, which is one minute.
        if (fate === 'stall' && name === 'export') continue;
        breakAll(proxy, fate);
        const outcome = await call().catch((error: AppError) => error);
        proxy.decide = () => 'pass';
        if (fate === 'drip') expect([name, outcome]).toEqual([name, right.get(name)]);
        else expectWords(`${name}, ${fate}`, outcome, words[fate]);
        if (outcome instanceof Error) seen.push(`${fate}: ${outcome.message}`);
        expect([name, fate, await call()]).toEqual([name, fate, right.get(name)]);
        tried++;
      }
      await proveSaves({ core, at, port, proxy, fate });
      tally(`bad answers (${fate})`, tried + 1);
    }
  }
  console.log(
    `What the user reads:\n  ${countEach(seen.map((one) => one.replaceAll(/:\d{4,5}/g, ':PORT')))}`,
  );
}

/** Health checks get a good answer, because the call itself must report the fault. */
function breakAll(proxy: HttpProxy, fate: BadAnswer): void {
  proxy.decide = ({ path }) => (path === '/v1/meta' ? 'pass' : fate);
}

function expectWords(
  name: string,
  outcome: unknown,
  wanted: { code: string; message: RegExp; hint?: RegExp },
) {
  expect([name, outcome]).toEqual([name, expect.any(Error)]);
  const { code, message, hint } = outcome as AppError;
  expect([name, code, message, hint]).toEqual([
    name,
    wanted.code,
    expect.stringMatching(wanted.message),
    wanted.hint ? expect.stringMatching(wanted.hint) : hint,
  ]);
}

type At = Parameters<Core['data']['browse']>[0];

function callsOf(core: Core, at: At, table: string): Record<string, () => Promise<unknown>> {
  const page = { table, filters: [], match: 'all' as const, sort: [], limit: 50, offset: 0 };
  const ordinals = (rows: Parameters<typeof rowAt>[0]) =>
    Array.from({ length: rows.rowCount }, (_, row) => Number(rowAt(rows, row).ordinal));
  return {
    tables: async () => (await core.data.tables(at)).some(({ name }) => name === table),
    page: async () => ordinals((await core.data.browse(at, page)).rows).length,
    sorted: async () =>
      ordinals((await core.data.browse(at, { ...page, sort: [{ column: 'ordinal', order: 'desc' }] })).rows),
    count: () => core.data.count(at, { table, filters: [], match: 'all' }),
    export: async () => {
      const all: number[] = [];
      const request = { table, columns: ['ordinal'], filters: [], match: 'all' as const, sort: [] };
      for await (const rows of core.data.exportRows(at, request)) all.push(...ordinals(rows));
      return all.sort((a, b) => a - b);
    },
  };
}

/**
 * The server stores the rows, and only its answer is bad or slow. The save must report the rows as applied.
 */
async function proveSaves(parts: { core: Core; at: At; port: number; proxy: HttpProxy; fate: BadAnswer }) {
  const { core, at, port, proxy, fate } = parts;
  const table = `Saved${randomUUID().slice(0, 8)}`;
  const properties = [{ name: 'ordinal', dataType: ['int'] }];
  await rest(port, 'POST', '/schema', { class: table, vectorizer: 'none', properties });
  const uuid = randomUUID();
  const changes: Change[] = [
    { kind: 'insert', id: 'typed', values: { uuid, ordinal: 1 } },
    { kind: 'insert', id: 'untyped', values: { ordinal: 2 } },
  ];
  proxy.decide = ({ method }) => (method === 'POST' ? fate : 'pass');
  const reports = await Array.fromAsync(core.data.applyChanges(at, { table, changes }));
  proxy.decide = () => 'pass';
  const outcomes = reports.flatMap((report) => report.outcomes);
  const statusOf = (id: string) => outcomes.find((one) => one.id === id)?.status;
  // Each row has an id before the driver sends it, so the driver can look for the row after a bad answer.
  expect([fate, statusOf('typed'), statusOf('untyped')]).toEqual([fate, 'applied', 'applied']);
  await rest(port, 'DELETE', `/schema/${table}`);
}

async function createTable(port: number, table: string): Promise<void> {
  const properties = [{ name: 'ordinal', dataType: ['int'] }];
  await rest(port, 'POST', '/schema', { class: table, vectorizer: 'none', properties });
  onTestFinished(async () => void (await rest(port, 'DELETE', `/schema/${table}`)));
  const objects = Array.from({ length: objectCount }, (_, ordinal) => ({
    class: table,
    id: randomUUID(),
    properties: { ordinal },
  }));
  await rest(port, 'POST', '/batch/objects', { objects });
}
