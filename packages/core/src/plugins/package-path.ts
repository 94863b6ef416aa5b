import { refusal } from './install-step.ts';

/** The path of a package entry, relative to the driver's folder. '' is the folder itself. */
export function placeOf(name: string): string {
  const outside = (why: string) => refusal('unpack', `"${printableName(name)}" ${why}`);
  // On Windows a colon names a drive or an alternate stream, and a backslash separates folders.
  if (/[\p{Cc}\\:]/u.test(name)) throw outside('has a character that no file of a driver may have');
  if (name.startsWith('/')) throw outside('is an absolute path');
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw outside('leads outside the package');
  if (parts.length > 10 || name.length > 400) throw outside('is too deep or too long');
  if (parts[0] === originFile) throw outside('is a name that the app uses itself');
  return parts.join('/');
}

/** A file that the app adds to the driver's files. It holds the integrity and the publisher of the package. */
export const originFile = '.origin.json';

export function printableName(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '�').slice(0, 200);
}
