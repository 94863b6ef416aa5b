import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import authors from './data/authors.json' with { type: 'json' };
import books from './data/books.json' with { type: 'json' };
import countries from './data/countries.json' with { type: 'json' };
import elements from './data/elements.json' with { type: 'json' };
import languages from './data/languages.json' with { type: 'json' };
import missionCrew from './data/mission-crew.json' with { type: 'json' };
import moons from './data/moons.json' with { type: 'json' };
import mountainCountries from './data/mountain-countries.json' with { type: 'json' };
import mountains from './data/mountains.json' with { type: 'json' };
import planets from './data/planets.json' with { type: 'json' };
import spaceMissions from './data/space-missions.json' with { type: 'json' };
import unitConversions from './data/unit-conversions.json' with { type: 'json' };
import { drawFlag } from './flag.ts';
import { schema } from './schema.ts';

/** Writes the sample database to `path`, atomically. The same SQLite version writes the same bytes. */
export function buildSampleDatabase(path: string): void {
  const target = resolve(path);
  mkdirSync(dirname(target), { recursive: true });
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    const database = new DatabaseSync(partial);
    try {
      fill(database);
    } finally {
      database.close();
    }
    renameSync(partial, target);
  } finally {
    rmSync(partial, { force: true });
    rmSync(`${partial}-journal`, { force: true });
  }
}

type Row = Record<string, unknown>;

const tables: Record<string, Row[]> = {
  elements,
  planets,
  moons,
  space_missions: spaceMissions,
  mission_crew: missionCrew,
  countries: countries.map((country) => ({ ...country, flag: country.flag && drawFlag(country.flag) })),
  mountains,
  mountain_countries: mountainCountries,
  languages,
  authors,
  books,
  unit_conversions: unitConversions,
};

function fill(database: DatabaseSync): void {
  database.exec('PRAGMA foreign_keys = ON; BEGIN');
  database.exec(schema);
  for (const [table, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0] ?? {});
    const places = columns.map(() => '?').join(', ');
    const insert = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`);
    for (const row of rows) insert.run(...columns.map((column) => toSqlite(row[column])));
  }
  database.exec('COMMIT');
}

function toSqlite(value: unknown): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Uint8Array ? value : JSON.stringify(value);
}
