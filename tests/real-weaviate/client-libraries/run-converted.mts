import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/** Runs each converted query, a file of its own, and writes what it prints as JSON. */
const [result = '', ...files] = process.argv.slice(2);
const found: unknown[] = [];
for (const file of files) {
  const printed: unknown[] = [];
  console.log = (...given) => printed.push(given);
  try {
    await import(pathToFileURL(file).href);
    found.push({ printed });
  } catch (error) {
    found.push({ error: String(error) });
  }
}
const plain = (_key: string, value: unknown) => (value === undefined ? null : value);
Date.prototype.toJSON = function () {
  return this.getTime() as never;
};
await writeFile(result, JSON.stringify(found, plain));
