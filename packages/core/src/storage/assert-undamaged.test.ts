import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { assertUndamaged } from './assert-undamaged.ts';
import { migrations } from './migrations.ts';
import { damageMark, openStorage } from './storage.ts';
import { addConnection, makeDamagedHome } from './testing/damaged-home.ts';

function contentOf(home: string): [string, string][] {
  return readdirSync(home)
    .sort()
    .map((name) => [name, readFileSync(join(home, name)).toString('base64')]);
}

const prepare: Record<string, (home: string) => void> = {
  'a damaged page, and a -wal': (home) => makeDamagedHome(home, temporaryFolder()),
  'a text file': (home) => writeFileSync(join(home, 'trestle.db'), 'no database'.repeat(1000)),
  'an empty file with a -wal': (home) => {
    makeDamagedHome(home, temporaryFolder());
    truncateSync(join(home, 'trestle.db'), 0);
  },
  'a rescued file that has not replaced the damaged one': (home) => {
    openStorage(home).close();
    writeFileSync(join(home, 'trestle.db.rescued-20260101T000000Z'), '');
  },
  'damage that an earlier run found, in a table that is not read at the start': (home) => {
    const storage = openStorage(home);
    const root = Number(storage.get("SELECT rootpage FROM sqlite_schema WHERE name = 'history'")?.rootpage);
    storage.close();
    const file = join(home, 'trestle.db');
    const bytes = readFileSync(file);
    bytes.fill(0xa5, (root - 1) * 4096, root * 4096);
    writeFileSync(file, bytes);
    writeFileSync(damageMark(file), '');
  },
  'a number that is too large, found by an earlier run': (home) => {
    const storage = openStorage(home);
    storage.run("INSERT INTO activity (at, action, outcome, rows) VALUES ('', 'query', 'ok', ?)", 2n ** 60n);
    storage.close();
    writeFileSync(damageMark(join(home, 'trestle.db')), '');
  },
};

test.each(Object.entries(prepare))('damage is reported and no file changes: %s', (_, damage) => {
  const home = temporaryFolder();
  damage(home);
  const before = contentOf(home);
  expect(() => assertUndamaged(home)).toThrowError(
    expect.objectContaining({
      code: 'storage_failed',
      message: `${join(home, 'trestle.db')} is damaged and cannot be read.`,
      hint: 'Start Trestle again: it sets the file aside and begins a new one. Or restore it from a backup.',
    }),
  );
  expect(contentOf(home)).toEqual(before);
});

test('damaged entries are reported, and no file changes', () => {
  const home = temporaryFolder();
  const storage = openStorage(home);
  addConnection(storage, 'a');
  storage.run("UPDATE connections SET fields = '{'");
  storage.close();
  const before = contentOf(home);
  expect(() => assertUndamaged(home)).toThrowError(
    expect.objectContaining({
      code: 'storage_failed',
      message: `Entries of ${join(home, 'trestle.db')} are damaged: connection Connection a`,
    }),
  );
  expect(contentOf(home)).toEqual(before);
});

test('damaged entries of a file of an older version are reported', () => {
  const home = temporaryFolder();
  const storage = openStorage(home, migrations.slice(0, 1));
  storage.run("INSERT INTO settings VALUES ('theme', '{')");
  storage.close();
  expect(() => assertUndamaged(home)).toThrow('are damaged: setting theme');
});

test('an undamaged file, a file of an older version and a missing file are not reported, and no file changes', () => {
  const whole = temporaryFolder();
  openStorage(whole).close();
  const old = temporaryFolder();
  openStorage(old, []).close();
  for (const home of [whole, old, temporaryFolder()]) {
    const before = contentOf(home);
    assertUndamaged(home);
    expect(contentOf(home)).toEqual(before);
  }
});
