import type { Manifest } from '@trestle/driver-kit';
import type { DriverDetails, InstallProgress } from '../../data/api/api-types.ts';

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

export function sizeText(bytes: number): string {
  return bytes <= 999_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function progressText({ step, received, size, waitsFor }: InstallProgress): string {
  if (step === 'wait') {
    const names = (waitsFor ?? []).map((name) => `“${name}”`);
    return `Waits until ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} closed`;
  }
  if (step === 'download') return `Downloading ${sizeText(received)} of ${sizeText(size)}`;
  return stepWords[step];
}

const stepWords: Record<Exclude<InstallProgress['step'], 'wait' | 'download'>, string> = {
  read: 'Reading',
  integrity: 'Checking that the file is complete',
  signature: 'Checking who signed the driver',
  unpack: 'Unpacking',
  manifest: 'Reading the manifest',
  load: 'Trying the driver in its own process',
  install: 'Putting the driver in place',
};
