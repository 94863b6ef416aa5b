import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createHome } from './trestle.ts';

test('doctor reports a damaged trestle.db, says what to do, and leaves the file where it is', async () => {
  const home = createHome();
  const file = join(home.folder, 'trestle.db');
  const bytes = 'no database'.repeat(1000);
  writeFileSync(file, bytes);
  const { code, stdout } = await home.run(['doctor']);
  expect(stdout).toMatch(
    /^FAILED +storage +\S+trestle\.db is damaged and cannot be read\. Start Trestle again: it sets the file aside and begins a new one\. Or restore it from a backup\.$/m,
  );
  expect(stdout).toContain('Something is wrong: see FAILED above.');
  expect(code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe(bytes);
  expect(storedFiles(home.folder)).toEqual(['trestle.db']);
});

test('doctor reports a damaged entry of trestle.db and leaves it, and a command that sets it aside says so', async () => {
  const home = createHome();
  const file = join(home.folder, 'facts.db');
  new DatabaseSync(file).exec('CREATE TABLE fact (id INTEGER PRIMARY KEY)');
  await home.json('connections', 'add', '--driver', 'sqlite', '--name', 'Facts', '--file', file);
  const stored = new DatabaseSync(join(home.folder, 'trestle.db'));
  stored.exec("UPDATE connections SET fields = '{'");
  stored.close();
  const { code, stdout } = await home.run(['doctor']);
  expect(stdout).toMatch(/^FAILED +storage +Entries of \S+trestle\.db are damaged: connection Facts\./m);
  expect(code).toBe(1);
  expect((await home.run(['connections', 'list'])).stderr).toContain(
    'Damaged entries of trestle.db were set aside: connection Facts.',
  );
});

test('doctor makes no trestle.db in an empty data directory', async () => {
  const home = createHome();
  const { code, stdout } = await home.run(['doctor']);
  expect(stdout).toMatch(/^– +storage +trestle\.db does not exist yet\. Starting Trestle makes it\.$/m);
  expect(code).toBe(0);
  expect(storedFiles(home.folder)).toEqual([]);
});

function storedFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^(trestle\.db|secrets)/.test(name));
}
