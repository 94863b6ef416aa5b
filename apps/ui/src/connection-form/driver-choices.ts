import type { Manifest } from '@trestle/driver-kit';
import type { DriverDetails, ListedDriver } from '../shared/api-types.ts';

export interface DriverChoice {
  manifest: Manifest;
  /** Set if the driver must be downloaded first. */
  download: ListedDriver | null;
  /** Why this kind of database cannot be chosen. Null if it can. */
  unavailable: string | null;
}

/** The kinds of database that match a search, vector databases first. */
export function driverChoices(
  installed: DriverDetails[],
  listed: ListedDriver[],
  text: string,
): DriverChoice[] {
  const here = new Set(installed.map(({ manifest }) => manifest.id));
  const choices: DriverChoice[] = [
    ...installed.map(({ manifest }) => ({ manifest, download: null, unavailable: null })),
    ...listed
      .filter(({ manifest }) => !here.has(manifest.id))
      .map((driver) => ({ manifest: driver.manifest, download: driver, unavailable: driver.unavailable })),
  ];
  const wanted = text.trim().toLowerCase();
  return choices
    .filter(({ manifest }) => `${manifest.name} ${manifest.summary}`.toLowerCase().includes(wanted))
    .sort((a, b) => rank(a.manifest) - rank(b.manifest) || a.manifest.name.localeCompare(b.manifest.name));
}

function rank({ kind }: Manifest): number {
  return kind === 'vector' ? 0 : 1;
}
