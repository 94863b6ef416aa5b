import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectBridge } from './bridge.ts';
import { createHome, launcher } from './trestle.ts';

function authorFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-author-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a new driver passes the check, is packed and installed, and gives rows', async () => {
  const home = createHome();
  const cwd = authorFolder();
  const plugins = (...args: string[]) => home.run(['plugins', ...args], { cwd });
  expect(await plugins('new', 'notes')).toMatchObject({
    code: 0,
    stdout: `Wrote the driver notes into ${join(cwd, 'notes')}. Next: \`${launcher} plugins check notes\`\n`,
    stderr: '',
  });
  const check = await plugins('check', 'notes');
  expect([check.code, check.stdout]).toEqual([0, expect.stringMatching(/pass [1-9]\d+\n[^\n]*fail 0\n/)]);
  // A test of a method that the driver lacks is not shown as passed.
  expect(check.stdout).toMatch(
    /an inserted row is stored under the key in its outcome.*# the driver has no applyChanges/,
  );
  expect(check.stdout).toMatch(/skipped [1-9]\d+\n/);
  expect(await plugins('pack', 'notes')).toMatchObject({
    code: 0,
    stdout: `Packed ${join(cwd, 'notes-0.1.0.tgz')}.\n`,
  });
  expect(await plugins('install', 'notes-0.1.0.tgz')).toMatchObject({
    code: 0,
    stdout: 'Installed notes 0.1.0.\n',
  });
  mkdirSync(join(cwd, 'rows'));
  writeFileSync(join(cwd, 'rows', 'people.json'), '[{"name":"Ada"},{"name":"Grace"}]');
  const added = await home.run(
    [
      ...['connections', 'add', '--driver', 'notes', '--name', 'Notes'],
      ...['--folder', 'rows', '--ai-policy', 'alwaysAllow'],
    ],
    { cwd },
  );
  expect(added).toMatchObject({ code: 0 });
  await home.start(['--no-window']);
  const call = await connectBridge(home.folder);
  expect(await call('browse_table', { connection_id: 'Notes', table: 'people' })).toMatch(/Ada.*Grace/s);
  expect(await call('describe_table', { connection_id: 'Notes', table: 'people' })).not.toMatch('example:');
  expect(await call('execute_query', { connection_id: 'Notes', query: 'SELECT 1' })).toMatch(
    'no query language',
  );
});

test.each([
  ['that obeys its filters passes', 'request.filters', 0],
  ['that ignores its filters fails', '[]', 1],
])('a driver with a search %s the check', async (_, filters, code) => {
  const home = createHome();
  const cwd = authorFolder();
  expect((await home.run(['plugins', 'new', 'notes'], { cwd })).code).toBe(0);
  const edit = (name: string, change: (text: string) => string) => {
    const file = join(cwd, 'notes', name);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };
  edit('contract.js', (text) => text.replace('has: [', "has: ['search'"));
  edit('driver.js', (text) =>
    text
      .replace(
        "exampleQuery: '',",
        "exampleQuery: '', searches: { modes: [{ mode: 'keyword' }], targetVectors: [] },",
      )
      .replace(
        'async close()',
        `async search(request) {
          const table = await read(request.table);
          const found = { ...table, rows: table.rows.filter((row) => row.includes(request.text)) };
          const page = browseMemory(found, { ...request, filters: ${filters}, sort: [], offset: 0 });
          page.rows.columns.push({ name: 'score', type: 'number', nativeType: 'score', isMeasure: true });
          page.rows.values.push({ kind: 'cells', cells: Array(page.rows.rowCount).fill(1) });
          return page;
        },
        async close()`,
      ),
  );
  const check = await home.run(['plugins', 'check', 'notes'], { cwd });
  expect([check.code, check.stdout]).toEqual([code, expect.stringContaining(`fail ${code}\n`)]);
  if (code === 1)
    expect(check.stdout).toContain('✖ keyword finds the best row first, and a filter chooses among its rows');
});

test('the database that contract.js opens may be an instance of a class', async () => {
  const home = createHome();
  const cwd = authorFolder();
  expect((await home.run(['plugins', 'new', 'notes'], { cwd })).code).toBe(0);
  const contract = join(cwd, 'notes', 'contract.js');
  renameSync(contract, join(cwd, 'notes', 'plain.js'));
  writeFileSync(
    contract,
    `import { target as plain } from './plain.js';
    class Database {
      #made;
      constructor(made) { this.#made = made; }
      get fields() { return this.#made.fields; }
      createTable(spec) { return this.#made.createTable(spec); }
      close() { return this.#made.close(); }
    }
    export const target = { ...plain, open: async () => new Database(await plain.open()) };`,
  );
  const { code, stdout } = await home.run(['plugins', 'check', 'notes'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/pass [1-9]\d+\n[^\n]*fail 0\n/)]);
});

test('a connection to a folder that contains the data directory is refused with the reason', async () => {
  const home = createHome();
  const cwd = authorFolder();
  for (const args of [
    ['new', 'notes'],
    ['pack', 'notes'],
    ['install', 'notes-0.1.0.tgz'],
  ]) {
    expect((await home.run(['plugins', ...args], { cwd })).code).toBe(0);
  }
  const { code, stderr } = await home.run([
    ...['connections', 'add', '--driver', 'notes', '--name', 'All', '--folder', '/'],
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('the data directory of Trestle')]);
  const names = ((await home.json('connections', 'list')) as { name: string }[]).map(({ name }) => name);
  expect(names).not.toContain('All');
});

test('for a mistake of a driver’s author, the commands print the cause and write no file', async () => {
  const home = createHome();
  const cwd = authorFolder();
  const plugins = async (...args: string[]) => {
    const { code, stderr } = await home.run(['plugins', ...args], { cwd });
    return [code, stderr];
  };
  expect(await plugins('new', 'My Driver')).toEqual([1, expect.stringContaining('cannot be the id')]);
  expect(await plugins('check', 'none')).toEqual([1, expect.stringContaining('There is no folder')]);
  expect(await plugins('pack', 'none')).toEqual([1, expect.stringContaining('cannot be packed')]);
  mkdirSync(join(cwd, 'empty'));
  expect(await plugins('check', 'empty')).toEqual([1, expect.stringContaining('has no manifest.json')]);
  expect(readdirSync(cwd)).toEqual(['empty']);
  writeFileSync(join(cwd, 'empty', 'manifest.json'), '{ "id": notes }');
  const [code, stderr] = await plugins('check', 'empty');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^.*manifest\.json is not JSON: .*\n$/);
  writeFileSync(join(cwd, 'empty', 'file'), '');
  expect(await plugins('new', 'empty')).toEqual([1, expect.stringContaining('is not empty')]);
  await plugins('new', 'notes');
  writeFileSync(join(cwd, 'notes', 'Nul.js'), '');
  const device = '"Nul.js" is the name of a device on Windows';
  expect(await plugins('check', 'notes')).toEqual([1, `The file ${device}. Give it another name.\n`]);
  expect(await plugins('pack', 'notes')).toEqual([1, expect.stringContaining(`cannot be packed: ${device}`)]);
  expect(readdirSync(cwd)).toEqual(['empty', 'notes']);
});
