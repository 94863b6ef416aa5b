import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dist, readKitVersion, root } from './stale.mjs';

const source = join(root, 'packages', 'driver-kit', 'src');

/** The package.json of the kit for driver authors. The kit has no dependencies, because its code is bundled. */
export const kitPackage = {
  name: '@trestle/driver-kit',
  version: readKitVersion(),
  description: 'Write a driver for Trestle: types, helpers, and the contract suite that a driver must pass.',
  license: 'Apache-2.0',
  type: 'module',
  sideEffects: false,
  exports: {
    '.': { types: './types/index.d.ts', default: './index.js' },
    './testing': { types: './types/testing/contract.d.ts', default: './testing.js' },
  },
};

export const kitReadme = `# @trestle/driver-kit

Types and helpers for a Trestle driver, and the contract suite that a driver must pass.

- \`types/session.d.ts\`: the methods of an open connection. \`types/manifest.d.ts\`: the manifest.
- \`@trestle/driver-kit/testing\`: \`describeDriverContract\`, on \`node:test\`. \`trestle plugins check FOLDER\` runs the
  suite with the driver in its own process.
- Begin with \`trestle plugins new FOLDER\`.
`;

/** Writes the kit's types into a folder. */
export function writeKitTypes(folder: string): void {
  const stage = join(dist, '.kit-types');
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  writeFileSync(join(stage, 'expand.ts'), expandManifest);
  const entries = [
    join(stage, 'expand.ts'),
    join(source, 'index.ts'),
    join(source, 'testing', 'contract.ts'),
  ];
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, ...tscFlags, '--rootDir', root, '--outDir', stage, ...entries]);
  const written = join(stage, 'packages', 'driver-kit', 'src');
  const expanded = readFileSync(join(stage, 'dist', '.kit-types', 'expand.d.ts'), 'utf8');
  const manifest = expanded.slice(expanded.indexOf('): {') + 3);
  writeFileSync(join(written, 'manifest.d.ts'), `export type Manifest = ${manifest}${manifestParts}`);
  for (const file of globSync(join(written, '**', '*.d.ts'))) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
  renameSync(written, folder);
  rmSync(stage, { recursive: true });
}

/** The compiler writes out the type of a spread in full, so authors can read the manifest's type without zod. */
const expandManifest = `
import type { Manifest } from '../../packages/driver-kit/src/manifest.ts';
export function expand(manifest: Manifest) { return { ...manifest }; }
`;

const manifestParts = `export type ManifestField = Manifest['fields'][number];
export type Suggestion = NonNullable<Manifest['suggestions']>[number];
`;

const tscFlags = [
  ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--strict', '--skipLibCheck'],
  ...['--target', 'esnext', '--module', 'nodenext', '--lib', 'esnext', '--types', 'node'],
  ...['--allowImportingTsExtensions', '--verbatimModuleSyntax'],
];
