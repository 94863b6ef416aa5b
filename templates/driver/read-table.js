import { readFile } from 'node:fs/promises';

/**
 * Tells the rows apart: the position in the file.
 * @type {import('@trestle/driver-kit').ColumnHead}
 */
const position = { name: '#', type: 'int', nativeType: 'position' };

/**
 * Reads one file: an array of objects. A column's type is that of its values.
 * @param {string} file
 * @returns {Promise<import('@trestle/driver-kit').MemoryTable>}
 */
export async function readTable(file) {
  const objects = JSON.parse(await readFile(file, 'utf8'));
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const columns = names.map((name) => {
    const type = typeOf(objects.map((object) => object[name] ?? null).filter((value) => value !== null));
    return { name, type, nativeType: type };
  });
  return {
    columns: [position, ...columns],
    key: [position.name],
    rows: objects.map((object, index) => [index + 1, ...names.map((name) => object[name] ?? null)]),
  };
}

/** @returns {import('@trestle/driver-kit').ColumnType} */
function typeOf(values) {
  const all = (test) => values.length > 0 && values.every(test);
  if (all((value) => typeof value === 'boolean')) return 'boolean';
  if (all(Number.isSafeInteger)) return 'int';
  if (all((value) => typeof value === 'number')) return 'number';
  if (values.some((value) => typeof value === 'object')) return 'json';
  return values.every((value) => typeof value === 'string') ? 'text' : 'any';
}
