import { foldPart } from '@trestle/driver-kit/package-paths';
import { refusal } from './install-step.ts';

/**
 * The path of a package entry, relative to the driver's folder. '' is the folder itself. `check` is the checker of the
 * whole package.
 */
export function placeOf(name: string, check: (path: string) => string | undefined): string {
  const outside = (why: string) => refusal('unpack', `"${printableName(name)}" ${why}`);
  if (name.startsWith('/')) throw outside('is an absolute path');
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw outside('leads outside the package');
  if (parts.length > 10 || name.length > 400) throw outside('is too deep or too long');
  const place = parts.join('/');
  const problem = place === '' ? undefined : check(place);
  if (problem !== undefined) throw outside(problem);
  if (foldPart(parts[0] ?? '') === originFile) throw outside('is a name that the app uses itself');
  return place;
}

/** A file that the app adds to the driver's files. It holds the integrity and the publisher of the package. */
export const originFile = '.origin.json';

export function printableName(name: string): string {
  return name.replaceAll(/\p{C}/gu, '�').slice(0, 200);
}
