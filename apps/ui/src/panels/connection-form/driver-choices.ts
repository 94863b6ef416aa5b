import type { Manifest } from '@trestle/driver-kit';
import type { DriverDetails, ListedDriver } from '../../data/api/api-types.ts';
import { sourceText } from '../plugin-browser/plugin-words.ts';

export interface DriverChoice {
  manifest: Manifest;
  /** Set if the driver must be downloaded first. */
  download: ListedDriver | null;
  /** The id and the publisher. Another driver may have a name that looks the same. */
  source: string;
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
    ...installed.map((driver) => ({
      manifest: driver.manifest,
      download: null,
      source: `${driver.manifest.id} · ${sourceText(driver)}`,
      unavailable: null,
    })),
    ...listed
      .filter(({ manifest }) => !here.has(manifest.id))
      .map((driver) => ({
        manifest: driver.manifest,
        download: driver,
        source: `${driver.manifest.id} · From ${driver.publisher.name}`,
        unavailable: driver.unavailable,
      })),
  ];
  const wanted = text.trim().toLowerCase();
  return choices
    .filter(({ manifest }) =>
      `${manifest.name} ${manifest.id} ${manifest.summary}`.toLowerCase().includes(wanted),
    )
    .sort((a, b) => rank(a.manifest) - rank(b.manifest) || a.manifest.name.localeCompare(b.manifest.name));
}

function rank({ kind }: Manifest): number {
  return kind === 'vector' ? 0 : 1;
}
