import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSampleDatabase } from './build.ts';

describe('the sample database', () => {
  let folder: string;
  let file: string;
  let database: DatabaseSync;
  const all = (sql: string) => database.prepare(sql).all();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trestle-sample-'));
    file = join(folder, 'deep', 'sample.db');
    buildSampleDatabase(file);
    database = new DatabaseSync(file, { readOnly: true });
  });

  afterAll(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is intact, and each reference has its target', () => {
    expect(all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(all('PRAGMA foreign_key_check')).toEqual([]);
  });

  it('has every element once', () => {
    expect(
      all('SELECT count(*) AS n, min(atomic_number) AS low, max(atomic_number) AS high FROM elements'),
    ).toEqual([{ n: 118, low: 1, high: 118 }]);
    expect(all("SELECT * FROM elements WHERE symbol = 'Fe'")).toEqual([
      {
        atomic_number: 26,
        symbol: 'Fe',
        name: 'Iron',
        atomic_mass: 55.845,
        group_number: 8,
        period: 4,
        category: 'transition metal',
        phase: 'solid',
        discovered_year: null,
      },
    ]);
  });

  it('has plausible heights, dates and lifetimes', () => {
    expect(all('SELECT name FROM mountains ORDER BY height_m DESC LIMIT 2')).toEqual([
      { name: 'Mount Everest' },
      { name: 'K2' },
    ]);
    expect(all('SELECT id FROM space_missions ORDER BY launch_date')).toEqual(
      all('SELECT id FROM space_missions ORDER BY id'),
    );
    expect(all('SELECT name FROM space_missions WHERE date(launch_date) IS NOT launch_date')).toEqual([]);
    expect(all('SELECT * FROM authors WHERE died_year <= born_year')).toEqual([]);
    expect(
      all('SELECT title FROM books JOIN authors ON authors.id = author_id WHERE year <= born_year'),
    ).toEqual([]);
  });

  it('names a crew for each crewed mission and for no other', () => {
    expect(
      all('SELECT name FROM space_missions WHERE crewed <> (id IN (SELECT mission_id FROM mission_crew))'),
    ).toEqual([]);
  });

  it('has views that return the joined facts', () => {
    expect(all("SELECT * FROM moons_by_planet WHERE planet IN ('Venus', 'Mars')")).toEqual([
      { planet: 'Venus', moons: 0, largest_radius_km: null },
      { planet: 'Mars', moons: 2, largest_radius_km: 11.1 },
    ]);
    expect(all("SELECT astronaut FROM crewed_missions WHERE mission = 'Vostok 1'")).toEqual([
      { astronaut: 'Yuri Gagarin' },
    ]);
  });

  it('has JSON, images, NULLs and empty strings', () => {
    expect(
      all("SELECT json_extract(targets, '$[3]') AS last FROM space_missions WHERE name = 'Voyager 2'"),
    ).toEqual([{ last: 'Neptune' }]);
    expect(all("SELECT hex(substr(flag, 2, 3)) AS magic FROM countries WHERE code = 'FR'")).toEqual([
      { magic: Buffer.from('PNG').toString('hex').toUpperCase() },
    ]);
    expect(
      all("SELECT family_name, born_year FROM authors WHERE given_name = '' AND born_year IS NULL"),
    ).toEqual([
      { family_name: 'Homer', born_year: null },
      { family_name: 'Murasaki Shikibu', born_year: null },
    ]);
  });

  it('has the same bytes at each build, replaces an older file and leaves no other file in the folder', () => {
    const second = join(folder, 'again', 'sample.db');
    buildSampleDatabase(second);
    writeFileSync(second, 'an older file');
    buildSampleDatabase(second);
    expect(readFileSync(second).equals(readFileSync(file))).toBe(true);
    expect(readdirSync(join(folder, 'again'))).toEqual(['sample.db']);
  });
});
