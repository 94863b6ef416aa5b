import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConnectionFields, Manifest, Session } from '@trestle/driver-kit';
import { kitVersion, manifestSchema } from '@trestle/driver-kit/manifest';
import { isPacked, packagePathChecker } from '@trestle/driver-kit/package-paths';
import { type AuthorTarget, describeDriverContract } from '@trestle/driver-kit/testing';
import { openDriverLink } from '../link.ts';

/**
 * Runs the contract suite on the driver in a folder: `node driver-check.js FOLDER HOST`. HOST is the built entry file
 * of the driver host. The driver gets only the rights of its manifest.
 */
const [folder, hostEntry] = process.argv.slice(2).map((path) => resolve(path));
if (!folder || !hostEntry) throw new Error('Usage: node driver-check.js FOLDER HOST');
await checkDriver(folder, hostEntry);

async function checkDriver(folder: string, hostEntry: string): Promise<void> {
  const manifest = readManifest(folder);
  checkPaths(folder, manifest);
  const target = await readTarget(folder);
  const connect = async (fields: ConnectionFields): Promise<Session> => {
    const link = await openDriverLink(
      { hostEntry, driverDirectory: folder, manifest, bundled: false, fields, log: () => {} },
      { signal: new AbortController().signal, timeoutMs: 20_000 },
    );
    return link.session as Session;
  };
  describeDriverContract(manifest.name, {
    ...target,
    manifest,
    interrupts: true,
    async open() {
      const database = await target.open();
      return {
        connect: () => connect(database.fields),
        createTable: (spec) => database.createTable(spec),
        close: () => database.close(),
      };
    },
  });
}

function readManifest(folder: string): Manifest {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) fail(`${folder} has no manifest.json.`);
  const parsed = manifestSchema.safeParse(readJson(file));
  if (!parsed.success) fail(`${file} is not valid:\n${problemsOf(parsed.error.issues)}`);
  const manifest = parsed.data;
  if (manifest.kit !== kitVersion) fail(`${file} is for driver kit ${manifest.kit}; this is ${kitVersion}.`);
  if (!existsSync(join(folder, manifest.entry))) {
    fail(`${join(folder, manifest.entry)} is missing. Build the driver first.`);
  }
  return manifest;
}

/** The app refuses a package with such a path, so the author must learn it before the package is made. */
function checkPaths(folder: string, { entry }: Manifest): void {
  const check = packagePathChecker();
  const look = (inner: string): void => {
    for (const found of readdirSync(inner, { withFileTypes: true })) {
      const path = relative(folder, join(inner, found.name)).replaceAll(sep, '/');
      if (!isPacked(path, entry)) continue;
      const problem = check(path);
      if (problem !== undefined) fail(`The file "${path}" ${problem}. Give it another name.`);
      if (found.isDirectory()) look(join(inner, found.name));
    }
  };
  look(folder);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return fail(`${file} is not JSON: ${(error as Error).message}`);
  }
}

function problemsOf(issues: { path: PropertyKey[]; message: string }[]): string {
  return issues.map(({ path, message }) => `  ${path.join('.') || 'manifest'}: ${message}`).join('\n');
}

async function readTarget(folder: string): Promise<AuthorTarget> {
  const file = ['contract.ts', 'contract.js']
    .map((name) => join(folder, name))
    .find((path) => existsSync(path));
  if (!file) fail(`${folder} has no contract.ts, which says how the suite makes a database.`);
  const module = (await import(pathToFileURL(file).href)) as { target?: AuthorTarget };
  if (!module.target) fail(`${file} exports no target.`);
  return module.target;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
