import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { importConnections } from './app.ts';
import { press } from './browser.ts';
import { gridOf } from './grid.ts';
import { type Journey, openTable } from './journey.ts';

/** Creates a SQLite file with `fill`, and opens a table of the file. Leaves the focus in the grid. */
export async function openOwnTable({ app, page }: Journey, table: string, fill: (db: DatabaseSync) => void) {
  const file = join(app.folder, 'own.db');
  const db = new DatabaseSync(file);
  fill(db);
  db.close();
  await importConnections(app, [{ name: 'Own', driver: 'sqlite', fields: { file } }]);
  await press(page.getByRole('button', { name: /^Own/ }));
  await page.getByRole('button', { name: `Table ${table}`, exact: true }).waitFor();
  await openTable(page, table);
  const grid = gridOf(page, `Rows of ${table}`);
  await grid.focus();
  return {
    grid,
    /** The current rows in the file. */
    rows(sql = `SELECT * FROM ${table}`): Record<string, unknown>[] {
      const reader = new DatabaseSync(file, { readOnly: true });
      try {
        const statement = reader.prepare(sql);
        statement.setReadBigInts(true);
        return statement.all().map((row) => ({ ...row }));
      } finally {
        reader.close();
      }
    },
  };
}
