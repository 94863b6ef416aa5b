import type { Manifest } from '@trestle/driver-kit';
import { hasUnseen, readingOf } from '@trestle/driver-kit/plain-name';
import type { RegistryEntry } from '@trestle/driver-kit/registry';

type Named = Pick<Manifest, 'id' | 'name'>;

/**
 * Why a driver must not have its name: the user would take it for another driver, and give it that driver's keys. An
 * update keeps the name that the driver has, since a new driver must not block the updates of another.
 */
export function nameProblem(
  driver: Named,
  { installed, listed }: { installed: Named[]; listed: RegistryEntry[] },
): string | undefined {
  const { id, name } = driver;
  if (hasUnseen(name)) return `the name of the driver ${id} has characters that cannot be seen`;
  const isNamesake = (other: Named) => other.id !== id && readingOf(other.name) === readingOf(name);
  const here = installed.find(isNamesake);
  if (here) return `its name "${name}" reads like that of the installed driver ${here.id}`;
  if (installed.some((own) => own.id === id && readingOf(own.name) === readingOf(name))) return undefined;
  const there = listed.find(({ manifest }) => isNamesake(manifest));
  if (!there) return undefined;
  return `its name "${name}" reads like that of the driver ${there.manifest.id} of ${there.publisher.name} in the registry`;
}
