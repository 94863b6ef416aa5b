import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * How `trestle plugins check` makes a database. It then compares the driver with these declarations.
 * @type {import('@trestle/driver-kit/testing').AuthorTarget}
 */
export const target = {
  /** The column types that the driver can read. They must include `text`. */
  types: ['text', 'int', 'number', 'boolean', 'json'],
  /** Whether integers beyond 2^53 stay exact. */
  bigIntegers: false,
  /** The optional methods of the session, such as `exportRows`. */
  has: [],
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'driver-check-'));
    let made = 0;
    return {
      fields: { folder },
      async createTable({ name, rows }) {
        const table = `${name}_${++made}`;
        await writeFile(join(folder, `${table}.json`), JSON.stringify(rows));
        return table;
      },
      close: () => rm(folder, { recursive: true }),
    };
  },
};
