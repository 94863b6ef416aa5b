import type { Manifest } from '@trestle/driver-kit';
import type { DriverDetails } from '../../data/api/api-types.ts';

/** The rights of a driver's process in words. The app and the driver host enforce them. */
export function rightsOf({ process, fields }: Pick<Manifest, 'process' | 'fields'>): string[] {
  const files = fields.some((field) => field.type === 'file');
  const folders = fields.flatMap((field) => (field.type === 'folder' ? [field] : []));
  const writes = folders.some((field) => field.write);
  return [
    process.network ? 'Connects to the host and port of its connection, and nowhere else' : 'Has no network',
    ...(files ? ['Gets the files that you choose'] : []),
    ...(folders.length > 0 ? [`Reads ${writes ? 'and writes ' : ''}the folders that you choose`] : []),
    ...(files || folders.length > 0 ? [] : ['Reads no files of yours']),
    'Runs in its own process',
  ];
}

export function sourceText({
  bundled,
  publisher,
  integrity,
}: Pick<DriverDetails, 'bundled' | 'publisher' | 'integrity'>): string {
  if (bundled) return 'Ships with Trestle';
  if (publisher) return `From ${publisher}`;
  return integrity === null ? 'Origin unknown' : 'From a file';
}
