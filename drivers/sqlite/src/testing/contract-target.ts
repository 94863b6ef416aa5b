import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Cell, ColumnType, Manifest, Session } from '@trestle/driver-kit';
import type { ContractTarget, TableSpec } from '@trestle/driver-kit/testing';
import manifest from '../../manifest.json' with { type: 'json' };
import { toStored } from '../values.ts';

/** SQLite for the contract suite. `connect` opens the session, in this process or in another one. */
export function sqliteTarget(options: {
  connect: (file: string) => Promise<Session>;
  interrupts: boolean;
}): ContractTarget {
  return {
    manifest: manifest as Manifest,
    types: ['text', 'int', 'number', 'bytes', 'any'],
    bigIntegers: true,
    has: [
      'applyChanges',
      'importRows',
      'settleChanges',
      'previewChanges',
      'readCells',
      'describeStructure',
      'exportRows',
      'createTable',
      'designForm',
      'readDesign',
      'planDesign',
      'nextStep',
      'sampleRows',
      'changeMark',
      'aggregate',
      'editorSchema',
    ],
    interrupts: options.interrupts,
    queries: {
      read: (table) => `SELECT * FROM "${table}"`,
      write: (table, { ordinal, title }) =>
        `UPDATE "${table}" SET title = '${title}' WHERE ordinal = ${ordinal}`,
      destroy: (table) => `DROP TABLE "${table}"`,
      slow: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
      invalid: 'SELEC 1',
    },
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'trestle-sqlite-'));
      const file = join(folder, 'contract.db');
      new DatabaseSync(file).close();
      return {
        connect: () => options.connect(file),
        createTable: async (spec) => createTable(file, spec),
        close: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
  };
}

function createTable(file: string, spec: TableSpec): string {
  const db = new DatabaseSync(file);
  try {
    const columns = spec.columns.map(({ name, type }) => `"${name}" ${nativeTypes[type] ?? ''}`);
    db.exec(`CREATE TABLE "${spec.name}" (id INTEGER PRIMARY KEY, ${columns.join(', ')})`);
    const names = spec.columns.map(({ name }) => `"${name}"`).join(', ');
    const insert = db.prepare(
      `INSERT INTO "${spec.name}" (${names}) VALUES (${spec.columns.map(() => '?').join(', ')})`,
    );
    db.exec('BEGIN');
    for (const row of spec.rows)
      insert.run(...spec.columns.map(({ name }) => toStored((row[name] as Cell) ?? null)));
    db.exec('COMMIT');
    return spec.name;
  } finally {
    db.close();
  }
}

const nativeTypes: Partial<Record<ColumnType, string>> = {
  text: 'TEXT',
  int: 'INTEGER',
  number: 'REAL',
  bytes: 'BLOB',
};
