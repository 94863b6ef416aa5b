import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '@trestle/driver-kit';
import { kitVersion, manifestSchema, versionPattern } from '@trestle/driver-kit/manifest';
import { z } from 'zod';
import { AppError } from '../errors.ts';

/** The manifest of the driver in a folder. Throws `driver_missing` with the reason if the driver cannot be used. */
export function readManifest(directory: string): Manifest {
  const judged = judgeManifest(directory);
  if (typeof judged === 'string') throw unusable(directory, judged);
  return judged;
}

/** The manifest, or the reason why the driver cannot be used. */
export function judgeManifest(directory: string): Manifest | string {
  let json: unknown;
  try {
    const path = join(directory, 'manifest.json');
    const stat = lstatSync(path);
    if (!stat.isFile()) return 'its manifest.json is not a file';
    if (stat.size > largestManifest) return 'its manifest.json is larger than 1 MB';
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return `its manifest.json cannot be read (${(error as Error).message})`;
  }
  // The kit version is checked first: a manifest for another kit version may have another form.
  const kit = z.object({ kit: z.number() }).safeParse(json);
  if (kit.success && kit.data.kit !== kitVersion) {
    return `it was made for driver kit ${kit.data.kit}, and this app has ${kitVersion}`;
  }
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) return `its manifest is not valid: ${z.prettifyError(parsed.error)}`;
  const { platforms, entry } = parsed.data;
  if (!platforms.includes('desktop')) return `it is made for ${platforms.join(', ')}, not for desktop`;
  if (!lstatSync(join(directory, entry), { throwIfNoEntry: false })?.isFile()) {
    return `its file ${entry} is missing, or is not a regular file`;
  }
  return parsed.data;
}

export function unusable(directory: string, why: string): AppError {
  return new AppError({
    code: 'driver_missing',
    message: `The driver in ${directory} cannot be used: ${why}`,
  });
}

export function isVersion(text: string): boolean {
  return text.length <= 100 && versionPattern.test(text);
}

const largestManifest = 1024 * 1024;
