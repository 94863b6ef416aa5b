import { type Manifest, manifestSchema } from '@trestle/driver-kit/manifest';
import { list } from 'tar';

/** The manifest inside a package. Throws if it is missing or invalid. */
export async function readPackageManifest(file: string): Promise<Manifest> {
  const chunks: Buffer[] = [];
  await list({
    file,
    strict: true,
    onReadEntry: (entry) => {
      if (entry.path.replace(/^\.\//, '') !== 'manifest.json') return entry.resume();
      entry.on('data', (chunk: Buffer) => chunks.push(chunk));
    },
  });
  if (chunks.length === 0) throw new Error(`${file} has no manifest.json`);
  const parsed = manifestSchema.safeParse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`The manifest in ${file} is not valid: ${parsed.error.message}`);
}
