import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Caller, createCore, newConnectionDraft } from '@trestle/core';

/**
 * Runs in its own mount namespace, where `home` is a small disk. Prints how the statements ended, and whether
 * the rows, the log and the history agree.
 */
const [home = '', dist = ''] = process.argv.slice(2);
const elsewhere = mkdtempSync(join(tmpdir(), 'trestle-full-'));
const file = join(elsewhere, 'data.db');
const database = new DatabaseSync(file);
database.exec('CREATE TABLE t (n INTEGER)');

const core = await createCore({
  home,
  hostEntry: join(dist, 'driver-host.js'),
  bundledDrivers: [join(dist, 'drivers', 'sqlite')],
  secretStore: 'file',
  timing: { logRetryMs: 3_600_000 },
});
const draft = newConnectionDraft(core.drivers.get('sqlite')!);
const { id } = await core.connections.create({
  ...draft,
  name: 'Data',
  fields: { ...draft.fields, file },
  externalClients: 'readWrite',
  aiPolicy: 'alwaysAllow',
});
const token = {
  kind: 'user' as const,
  id: 't',
  name: 'Token',
  permission: 'readWrite' as const,
  allowlist: null,
};
const client: Caller = { kind: 'client', token, clientName: 'Client', process: null };
const filler = join(home, 'filler');

const run = (caller: Caller, text: string) =>
  core.data
    .runQuery({ caller, connectionId: id, signal: new AbortController().signal }, { text, limit: 1 })
    .then(
      ({ historyId }) => ({ ok: true, historyId }),
      (error: Error & { hint?: string }) => ({ ok: false, message: error.message, hint: error.hint }),
    );

const first = await run(client, 'INSERT INTO t VALUES (0)');
fill();
// The log's file may still have free space inside, so the first statements may run.
let written = 1;
let refused = await run(client, 'INSERT INTO t VALUES (1)');
for (; refused.ok; refused = await run(client, 'INSERT INTO t VALUES (1)')) written++;
const read = await run(client, 'SELECT * FROM t');
const person = await run({ kind: 'person' }, 'INSERT INTO t VALUES (2)');
const problem = core.activity.problem();

rmSync(filler);
const freed = await run(client, 'INSERT INTO t VALUES (3)');
// The disk fills up while the statement runs. The statement must still be answered as run.
const slow =
  'INSERT INTO t SELECT max(x) FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000000) SELECT x FROM c)';
const running = run(client, slow);
const begun = new DatabaseSync(join(home, 'trestle.db'), { readOnly: true });
while (begun.prepare('SELECT count(*) AS n FROM call_intents').get()?.n === 0) await pause();
begun.close();
fill();
const ran = await running;
const problemThen = core.activity.problem();
rmSync(filler);
const logged = core.activity.list({ limit: 1_000_000 });
const history = core.history.search({ limit: 1_000_000 });
console.log(
  JSON.stringify({
    first: first.ok,
    refused,
    read,
    person: person.ok,
    problem,
    freed: freed.ok,
    ran: ran.ok,
    problemThen,
    // The table has one row for each INSERT that was answered as run.
    written: database.prepare('SELECT count(*) AS n FROM t').get()?.n === written + 3,
    logged: logged.filter(({ outcome }) => outcome === 'ok').length === written + 2,
    history: history.filter(({ outcome }) => outcome === 'ok').length === written + 3,
    chain: (await core.activity.verify()).ok,
    problemAtEnd: core.activity.problem(),
  }),
);
await core.close();
database.close();
rmSync(elsewhere, { recursive: true, force: true });

function fill(): void {
  for (let size = 65_536; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Smaller pieces may still fit.
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}
