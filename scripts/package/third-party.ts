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
  purl?: string;
}

interface Materials {
  serialNumber?: string;
  metadata: { timestamp: string; component?: { version: string }; tools?: unknown };
  components: Component[];
}

let known: Materials | undefined;

/** Everything that the lockfile brings besides what only builds and tests need, as CycloneDX. npm writes it. */
function materials(): Materials {
  known ??= JSON.parse(
    execFileSync(
      'npm',
      ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev', '--silent'],
      {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 100 * 1024 ** 2,
        shell: process.platform === 'win32',
      },
    ),
  ) as Materials;
  return known;
}

/** The bill of materials without what differs from run to run. */
export function billOfMaterials({ version, time }: Release): string {
  const { serialNumber: _, ...bill } = structuredClone(materials());
  bill.metadata.timestamp = time.toISOString();
  if (bill.metadata.component) bill.metadata.component.version = version;
  // The folder that the build ran in is in the properties of the workspaces.
  const text = JSON.stringify(bill, null, 2).replaceAll(root, '.');
  return `${text}\n`;
}

/** The licences of other people's code in the bundles, as those licences ask. */
export function stageThirdParty(folder: string): void {
  const texts = materials()
    .components.map(({ group, name, version }) => ({
      name: group ? `${group}/${name}` : name,
      version,
    }))
    .filter(({ name }) => !name.startsWith('@trestle/'))
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
