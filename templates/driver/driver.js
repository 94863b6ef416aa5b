import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { browseMemory, countMemory, DriverError, memoryOperators, withoutEditor } from './driver-kit.js';
import manifest from './manifest.json' with { type: 'json' };
import { readTable } from './read-table.js';

const ending = '.json';

/**
 * The app imports this. `fields` holds the values of the connection form, by the ids in manifest.json.
 * @type {import('@trestle/driver-kit').Driver}
 */
export const driver = {
  async connect({ fields }) {
    const folder = String(fields.folder);
    try {
      await readdir(folder);
    } catch (error) {
      throw new DriverError({
        code: 'connection_failed',
        message: `${folder} cannot be read: ${error.message}`,
      });
    }
    return openSession(folder);
  },
};

/**
 * @param {string} folder
 * @returns {import('@trestle/driver-kit').Session}
 */
function openSession(folder) {
  const tableNames = async () =>
    (await readdir(folder))
      .filter((file) => file.endsWith(ending))
      .map((file) => file.slice(0, -ending.length));

  async function read(name) {
    if (!(await tableNames()).includes(name)) {
      throw new DriverError({ code: 'not_found', message: `There is no file ${name}${ending} in ${folder}` });
    }
    return readTable(join(folder, name + ending));
  }

  return {
    ...withoutEditor,
    server: { product: manifest.name, version: manifest.version },
    async health() {
      await readdir(folder);
      return {};
    },
    async listTables() {
      return (await tableNames()).sort().map((name) => ({ name, kind: 'table' }));
    },
    async describeTable(name) {
      const { columns, key } = await read(name);
      return {
        name,
        kind: 'table',
        columns: columns.map((column) => ({
          ...column,
          nullable: true,
          inKey: key.includes(column.name),
          operators: memoryOperators(column.type, manifest.operators),
        })),
        key,
        indexes: [],
        foreignKeys: [],
        exampleQuery: '',
        notes: [],
      };
    },
    async browse(request) {
      return browseMemory(await read(request.table), request);
    },
    async count(request) {
      return countMemory(await read(request.table), request);
    },
    async close() {},
  };
}
