import type { DriverDetails } from '../types.ts';

/** The id of a driver, and who published it: `weaviate, from Example`. Its name may read like that of another driver. */
export function driverWords(drivers: { details(): DriverDetails[] }, id = ''): string {
  const driver = drivers.details().find(({ manifest }) => manifest.id === id);
  if (!driver) return `${id}, not installed`;
  const { bundled, publisher, integrity } = driver;
  if (bundled) return `${id}, ships with Trestle`;
  if (publisher !== null) return `${id}, from ${publisher}`;
  return integrity === null ? `${id}, origin unknown` : `${id}, from a file`;
}
