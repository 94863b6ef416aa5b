import type { DatabaseSync } from 'node:sqlite';
import { randomSource } from '@trestle/driver-kit/testing/random';
import { expect } from 'vitest';
import { type ExportFormat, exportFormats } from '../export/export-format.ts';
import type { InexactColumn } from '../export/inexact-values.ts';
import { compare, compareParquet, type RawRows, readRaw } from './compare-tables.ts';
import { create, definition, fill, type OddTable, oddTable, quoted } from './odd-tables.ts';

/** The ways of one door from a table to the table `target`, which has the same columns. */
export interface Door {
  /** Writes the table to a file. */
  write(table: OddTable, format: ExportFormat): Promise<Written>;
  /** Reads a file into the empty `target`. */
  read(file: string): Promise<{ failed: number }>;
  /** Ways that create `target` themselves and keep every value, by their names. */
  exact?: Record<string, (table: OddTable, given: RawRows) => Promise<void>>;
}

export interface Written {
  file: string;
  /** The values that the door named as not kept. */
  inexact: Pick<InexactColumn, 'column' | 'count'>[];
}

interface Moves {
  tables: number;
  seed: number;
  /** The files with the odd tables and with `target`. They may be the same. */
  source: DatabaseSync;
  target: DatabaseSync;
}

/** Each table arrives by each way, or the loss was announced. */
export async function moveTables(door: Door, { tables, seed, source, target }: Moves): Promise<void> {
  const random = randomSource(seed);
  for (let round = 0; round < tables; round++) {
    const table = oddTable(random);
    create(source, table, table.name);
    fill(source, table, random);
    const given = readRaw(source, table, table.name);
    const where = (way: string) => `seed ${seed}, table ${round}, ${way}: ${definition(table, table.name)}`;
    for (const format of exportFormats) {
      const { file, inexact } = await door.write(table, format);
      if (format === 'parquet') {
        await compareParquet(file, { given, table, inexact, where: where(format) });
        continue;
      }
      create(target, table, 'target');
      const report = await door.read(file);
      compare(given, readRaw(target, table, 'target'), {
        inexact,
        failed: report.failed,
        where: `${where(format)}\n${JSON.stringify(report)}`,
      });
      if (format !== 'csv') expect(report.failed + inexact.length, where(format)).toBe(0);
      target.exec('DROP TABLE target');
    }
    for (const [way, move] of Object.entries(door.exact ?? {})) {
      await move(table, given);
      compare(given, readRaw(target, table, 'target'), { inexact: [], failed: 0, where: where(way) });
      target.exec('DROP TABLE target');
    }
    source.exec(`DROP TABLE ${quoted(table.name)}`);
  }
}
