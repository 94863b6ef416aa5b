import { expect, test } from 'vitest';
import { openStars } from '../testing/stars.ts';
import type { Actor, Core } from '../types.ts';

const program: Actor = { door: 'commandLine', isPerson: false };
const link: Actor = { door: 'link', isPerson: false };
const person: Actor = { door: 'window', isPerson: true };
const { signal } = new AbortController();

/** Imports stars with the given ids. `claimed`: the number of rows that the program says it has. */
async function bring(
  core: Core,
  connectionId: string,
  { from, count, claimed = count, actor = program, name = 'new' }: Options,
) {
  const target = { connectionId, table: 'stars', replace: true, rows: claimed };
  const { id } = await core.administer(actor).beginImport(target, signal);
  const rows = Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    values: { id: from + at, name },
  }));
  const { outcomes, stopped } = await core.imports.send(id, rows, signal);
  core.imports.end(id);
  return { replaced: outcomes.filter(({ status }) => status === 'replaced').length, outcomes, stopped };
}

interface Options {
  from: number;
  count: number;
  claimed?: number;
  actor?: Actor;
  name?: string;
}

const needed = {
  code: 'forbidden',
  message: expect.stringMatching(/^Replacing (more than|rows on this connection, where programs)/),
};

test('the rows that imports of programs replace are summed over an hour, through each door', async () => {
  const { core, id } = await openStars();
  expect(await bring(core, id, { from: 1, count: 60 })).toMatchObject({ replaced: 60 });
  await expect(bring(core, id, { from: 1, count: 60 })).rejects.toMatchObject({
    ...needed,
    message:
      'Replacing more than 40 rows (the rows that programs may still change on this connection in this hour) needs the administrator passphrase, and none is set',
  });
  await expect(bring(core, id, { from: 1, count: 41, actor: link })).rejects.toMatchObject(needed);
  expect(await bring(core, id, { from: 1, count: 40, actor: link })).toMatchObject({ replaced: 40 });
  await expect(bring(core, id, { from: 1, count: 1 })).rejects.toMatchObject(needed);
  expect(await bring(core, id, { from: 1, count: 200, actor: person })).toMatchObject({ replaced: 200 });
});

test('a program that gives a wrong number of rows replaces none beyond the limit', async () => {
  const { core, id } = await openStars();
  await bring(core, id, { from: 1, count: 60 });
  expect(await bring(core, id, { from: 1, count: 50, claimed: 1 })).toMatchObject({
    replaced: 0,
    stopped: {
      code: 'refused',
      message:
        'The import would replace more rows than programs may change in an hour (100 on this connection)',
    },
  });
  expect(await bring(core, id, { from: 1, count: 40 })).toMatchObject({ replaced: 40 });
});

test('imports at the same time do not pass the limit together', async () => {
  const { core, id } = await openStars();
  const reports = await Promise.all(
    [1, 101, 201, 301].map((from) => bring(core, id, { from, count: 30, claimed: 1 })),
  );
  expect(reports.map(({ replaced }) => replaced).sort()).toEqual([0, 30, 30, 30]);
});

test('statements of `trestle query` and imports count together', async () => {
  const { core, id } = await openStars();
  const run = (text: string) =>
    core.administer(program).runStatement({ connectionId: id, text, limit: 1 }, signal);
  await run('DELETE FROM stars WHERE id > 930');
  await expect(bring(core, id, { from: 1, count: 31 })).rejects.toMatchObject(needed);
  await bring(core, id, { from: 1, count: 30 });
  await expect(run('DELETE FROM stars WHERE id = 1')).rejects.toMatchObject({ code: 'forbidden' });
  // The command asks for the passphrase itself, so no question waits for a terminal.
  expect(core.approvals.pending()).toEqual([]);
});

test('new rows of an import do not count', async () => {
  const { core, id } = await openStars();
  core.settings.update({ mcpNewRowsPerHour: 1 });
  for (const from of [2_000, 3_000, 4_000, 5_000])
    expect(await bring(core, id, { from, count: 100 })).toMatchObject({ replaced: 0, stopped: undefined });
  expect(await bring(core, id, { from: 1, count: 100 })).toMatchObject({ replaced: 100 });
});
