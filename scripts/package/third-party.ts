import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stale.mjs';
import type { Release } from './release.ts';
import { write } from './stage.ts';

interface Component {
  name: string;
  group?: string;
  version: string;
  'bom-ref': string;
}

interface Materials {
  serialNumber?: string;
  metadata: { timestamp: string; component?: { version: string }; tools?: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

let known: Materials | undefined;

/** The packages that run on a user's machine, as CycloneDX. The other packages in npm's list are removed. */
function materials(): Materials {
  if (known) return known;
  const all = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--silent'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 100 * 1024 ** 2,
      shell: process.platform === 'win32',
    }),
  ) as Materials;
  const shipped = shippedPackages();
  const components = all.components.filter((one) => shipped.has(`${nameOf(one)}@${one.version}`));
  const refs = new Set(components.map((one) => one['bom-ref']));
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => refs.has(ref)) }));
  known = { ...all, components, dependencies };
  return known;
}

/**
 * The dependencies of the workspaces, with their own dependencies, as `name@version`. npm's `--omit=dev` would also
 * omit packages that a development tool uses too.
 */
function shippedPackages(): Set<string> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const found = new Set<string>();
  const visit = (from: string): void => {
    const { dependencies, optionalDependencies } = packages[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = resolveIn(packages, from, name);
      const { version, link } = (place !== undefined && packages[place]) || {};
      // A workspace is visited separately, and an optional package may have no entry.
      if (place === undefined || link || found.has(`${name}@${version}`)) continue;
      found.add(`${name}@${version}`);
      visit(place);
    }
  };
  for (const from of Object.keys(packages)) {
    if (!from.includes('node_modules')) visit(from);
  }
  return found;
}

interface LockedPackage {
  version?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The place of a package: in the nearest parent folder that contains it, as Node resolves imports. */
function resolveIn(packages: Record<string, LockedPackage>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return undefined;
  }
}

function nameOf({ group, name }: Component): string {
  return group ? `${group}/${name}` : name;
}

/** The bill of materials without the parts that differ from run to run. */
export function billOfMaterials({ version, time }: Release): string {
  const { serialNumber: _, ...bill } = structuredClone(materials());
  bill.metadata.timestamp = time.toISOString();
  if (bill.metadata.component) bill.metadata.component.version = version;
  // The path of the build folder differs from machine to machine.
  const text = JSON.stringify(bill, null, 2).replaceAll(root, '.');
  return `${text}\n`;
}

/** The licences of third-party code in the bundles, as those licences require. */
export function stageThirdParty(folder: string): void {
  const texts = materials()
    .components.map((one) => ({ name: nameOf(one), version: one.version }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, version }) => {
      const text = licenceOf(join(root, 'node_modules', name));
      return text === undefined ? [] : [`${name} ${version}\n\n${text.trim()}\n`];
    });
  write(join(folder, 'THIRD-PARTY.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

function licenceOf(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name));
  return file && readFileSync(join(folder, file), 'utf8');
}
