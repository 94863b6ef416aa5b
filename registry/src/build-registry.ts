import { createHash, type KeyObject } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { kitVersion } from '@trestle/driver-kit/manifest';
import { hasUnseen, readingOf } from '@trestle/driver-kit/plain-name';
import {
  indexStatement,
  packageStatement,
  type RegistryEntry,
  type RegistryFile,
  type RegistryIndex,
  registryFileSchema,
  registryIndexSchema,
} from '@trestle/driver-kit/registry';
import { publicKeyOf, signatureOf } from './keys.ts';
import { readPackageManifest } from './package-manifest.ts';

export interface RegistryOptions {
  /** The folder that a web server serves. It may contain the previous index. */
  folder: string;
  name: string;
  packages: { file: string; changes: string }[];
  /** Files to copy into `folder` that are not in the index: the driver kit for authors. */
  beside?: string[];
  publisher: { name: string; key: KeyObject };
  /** Every key signs the index. There are two during a key rotation. */
  signers: KeyObject[];
  /** Public keys that the app pins from this index on. Defaults to the signers' keys. */
  nextKeys?: string[];
  sequence: number;
  /** Defaults to now. */
  signedAt?: Date;
  /** How many days after `signedAt` the index expires. Null: never. Defaults to `daysValid`. */
  days?: number | null;
  /** Allows other bytes for a version that exists. Never set for a release. */
  allowRebuild?: boolean;
}

/** An index expires after 90 days: so long can a mirror hold a security update back unnoticed. */
export const daysValid = 90;

/**
 * Adds packages to a registry and signs its index. Throws if a package must not be published, or if apps would refuse
 * the index.
 */
export async function buildRegistry(options: RegistryOptions): Promise<RegistryIndex> {
  const { folder, name, signers, sequence } = options;
  mkdirSync(folder, { recursive: true });
  const before = readIndex(join(folder, 'index.json'));
  if (!Number.isSafeInteger(sequence) || sequence < 1) {
    throw new Error(`A sequence is a whole number from 1 on, not ${sequence}`);
  }
  if (before && sequence <= before.sequence) {
    throw new Error(`Sequence ${sequence} is not newer than ${before.sequence} of the index in ${folder}`);
  }
  const signedBy = signers.map(publicKeyOf);
  if (before && !signedBy.some((key) => before.keys.includes(key))) {
    throw new Error(
      `Apps that read the index in ${folder} would refuse this one: it is signed by another key. Sign with the previous key as well (TRESTLE_REGISTRY_OLD_KEY), or publish to an empty folder.`,
    );
  }
  const keys = options.nextKeys ?? signedBy;
  // An app that accepts the index pins these keys. Later the app checks its stored copy of the index with these keys.
  if (!keys.some((key) => signedBy.includes(key))) {
    throw new Error('Apps would refuse this index at their second read: none of the next keys has signed it');
  }
  const signedBefore = readFile(join(folder, 'index.json'))?.signatures.map(({ key }) => key) ?? [];
  const own = new Set([...signedBy, ...keys, ...signedBefore]);
  let plugins = (before?.plugins ?? []).map((entry) => withNewKey(entry, options.publisher, own));
  for (const one of options.packages) {
    const entry = await entryOf(one, options.publisher);
    refuseTakeover(entry, plugins, options.allowRebuild ?? false);
    refuseNamesake(entry, plugins);
    plugins = [...plugins.filter((other) => !isSameVersion(other, entry)), entry];
    copyFileSync(one.file, join(folder, entry.tarball));
  }
  for (const file of options.beside ?? []) addBeside(file, folder, options.allowRebuild ?? false);
  const index = registryIndexSchema.parse({ format: 1, name, sequence, ...datesOf(options), keys, plugins });
  const payload = JSON.stringify(index);
  const signatures = signers.map((key) => ({
    key: publicKeyOf(key),
    signature: signatureOf(key, indexStatement(payload)),
  }));
  const file: RegistryFile = { payload, signatures };
  // The packages are in place now, so a reader of the new index finds them.
  writeFileSync(join(folder, 'index.json.new'), JSON.stringify(file));
  renameSync(join(folder, 'index.json.new'), join(folder, 'index.json'));
  return index;
}

/** The dates of a file that is signed now. */
export function datesOf({
  signedAt = new Date(),
  days = daysValid,
}: Pick<RegistryOptions, 'signedAt' | 'days'>) {
  const expiresAt = days === null ? null : new Date(signedAt.getTime() + days * 86_400_000).toISOString();
  return { signedAt: signedAt.toISOString(), expiresAt };
}

/** The index in a file. Undefined if the file does not exist. Not verified: the builder wrote the file. */
export function readIndex(path: string): RegistryIndex | undefined {
  const file = readFile(path);
  return file && registryIndexSchema.parse(JSON.parse(file.payload));
}

function readFile(path: string): RegistryFile | undefined {
  return existsSync(path) ? registryFileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}

/** After a change of the registry's key, signs the registry's own packages again, so that apps accept their updates. */
function withNewKey(
  entry: RegistryEntry,
  { key }: RegistryOptions['publisher'],
  own: ReadonlySet<string>,
): RegistryEntry {
  const isOwn = own.has(entry.publisher.key) && own.has(publicKeyOf(key));
  if (!isOwn || entry.publisher.key === publicKeyOf(key)) return entry;
  const { id, version } = entry.manifest;
  return {
    ...entry,
    publisher: { ...entry.publisher, key: publicKeyOf(key) },
    signature: signatureOf(key, packageStatement(id, version, entry.integrity)),
  };
}

async function entryOf(
  { file, changes }: { file: string; changes: string },
  publisher: RegistryOptions['publisher'],
): Promise<RegistryEntry> {
  const bytes = readFileSync(file);
  const manifest = await readPackageManifest(file);
  if (manifest.kit !== kitVersion) {
    throw new Error(
      `${basename(file)} is made for driver kit ${manifest.kit}; this registry is for ${kitVersion}`,
    );
  }
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const { id, version } = manifest;
  return {
    manifest,
    kit: { from: manifest.kit, to: manifest.kit },
    size: bytes.length,
    tarball: `${id}-${version}.tgz`,
    integrity,
    publisher: { name: publisher.name, key: publicKeyOf(publisher.key) },
    signature: signatureOf(publisher.key, packageStatement(id, version, integrity)),
    changes,
  };
}

/** Copies the driver kit. An author's lockfile may contain the kit's hash, so a published version must not change. */
function addBeside(file: string, folder: string, allowRebuild: boolean): void {
  const place = join(folder, basename(file));
  if (!allowRebuild && existsSync(place) && !readFileSync(place).equals(readFileSync(file))) {
    throw new Error(`${basename(file)} is published already with other bytes. Give it a new version.`);
  }
  copyFileSync(file, place);
}

/**
 * Throws if another key signed the published versions of this id. Throws if a published version
 * would get other bytes, unless `allowRebuild` is set.
 */
function refuseTakeover(entry: RegistryEntry, plugins: RegistryEntry[], allowRebuild: boolean): void {
  const { id, version } = entry.manifest;
  const others = plugins.filter(({ manifest }) => manifest.id === id);
  const owner = others.find(({ publisher }) => publisher.key !== entry.publisher.key);
  if (owner) throw new Error(`The id ${id} belongs to ${owner.publisher.name}, who has another key`);
  const same = others.find((other) => isSameVersion(other, entry));
  if (same && same.integrity !== entry.integrity && !allowRebuild) {
    throw new Error(`${id} ${version} is published already with other bytes. Give it a new version.`);
  }
}

/** A user tells drivers apart by their names, so an app marks a driver that has the name of another one. */
function refuseNamesake({ manifest }: RegistryEntry, plugins: RegistryEntry[]): void {
  const { id, name } = manifest;
  if (hasUnseen(name)) throw new Error(`The name of the driver ${id} has characters that cannot be seen`);
  const other = plugins.find(
    ({ manifest: listed }) => listed.id !== id && readingOf(listed.name) === readingOf(name),
  );
  if (!other) return;
  throw new Error(
    `The name "${name}" of the driver ${id} reads like that of the driver ${other.manifest.id}. Choose another name.`,
  );
}

function isSameVersion(a: RegistryEntry, b: RegistryEntry): boolean {
  return a.manifest.id === b.manifest.id && a.manifest.version === b.manifest.version;
}
