import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildRegistry } from '../../registry/src/build-registry.ts';
import { driverPackages } from '../../registry/src/pack-drivers.ts';
import { dist, isStale, listDrivers, readKitVersion, root } from '../stale.mjs';
import { writeChannel } from './channel.ts';
import { packDeb, packTarball } from './linux.ts';
import { packMacos, takeMacos } from './macos.ts';
import { packMcpb } from './mcpb.ts';
import { packNpm } from './npm.ts';
import { emptyPackageFolder } from './package-folder.ts';
import { describeRelease, type Release, signersOf } from './release.ts';
import { signAgain } from './sign-again.ts';
import { billOfMaterials } from './third-party.ts';
import { packWindows } from './windows.ts';

/** All packages. Add a line here to add one. */
const packages: Record<string, (release: Release) => Promise<string[]>> = {
  npm: packNpm,
  'deb-amd64': (release) => packDeb(release, 'x64'),
  'deb-arm64': (release) => packDeb(release, 'arm64'),
  'tarball-x64': (release) => packTarball(release, 'x64'),
  'tarball-arm64': (release) => packTarball(release, 'arm64'),
  'macos-arm64': (release) => macos(release, 'arm64'),
  'macos-x64': (release) => macos(release, 'x64'),
  windows: packWindows,
  'mcpb-linux-x64': (release) => packMcpb(release, 'linux-x64'),
  'mcpb-darwin-arm64': (release) => packMcpb(release, 'darwin-arm64'),
  'mcpb-darwin-x64': (release) => packMcpb(release, 'darwin-x64'),
  'mcpb-win32-x64': (release) => packMcpb(release, 'win32-x64'),
};

const help = `Usage: npm run package -- --registry ADDRESS [options]
       npm run package -- --sign-again FOLDER [--development]

Makes every package, the driver registry, checksums and a bill of materials in dist/packages.

  --sign-again FOLDER  sign index.json and channel.json in this copy of the served registry folder again, before they
                       expire (90 days after they were signed)
  --registry ADDRESS   where the registry folder will be served; each package contains this address
  --development        sign with the key of this checkout, and mark the version as development
  --only NAME          only this package (repeat for more): ${Object.keys(packages).join(', ')}
  --macos FOLDER       take the macOS zips from this folder, where they were signed, instead of making them
  --fast               compress quickly, into larger files
  --out FOLDER         write to this folder instead of dist/packages

  TRESTLE_REGISTRY_KEY        the release key: a PEM file with an Ed25519 private key, or its text
  TRESTLE_REGISTRY_OLD_KEY    the previous release key; it also signs, for apps that know only this key
  TRESTLE_CODESIGN_IDENTITY   on macOS: sign the application bundles with this identity`;

const { values } = parseArgs({
  options: {
    registry: { type: 'string' },
    'sign-again': { type: 'string' },
    development: { type: 'boolean', default: false },
    fast: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    macos: { type: 'string' },
    out: { type: 'string', default: join(dist, 'packages') },
    help: { type: 'boolean', default: false },
  },
});

if (values['sign-again'] !== undefined && !values.help) {
  const expiresAt = await signAgain(resolve(values['sign-again']), signersOf(values.development));
  console.log(`Signed again. Upload index.json and channel.json. They expire on ${expiresAt}.`);
} else if (values.help || !values.registry) {
  console.log(help);
  process.exitCode = values.help ? 0 : 1;
} else await packageAll(values.registry);

async function packageAll(registry: string): Promise<void> {
  const only = values.only ?? Object.keys(packages);
  const unknown = only.filter((name) => !Object.hasOwn(packages, name));
  if (unknown.length > 0) throw new Error(`There is no package ${unknown.join(', ')}.\n\n${help}`);
  const out = resolve(values.out);
  if (values.macos !== undefined && resolve(values.macos) === out) {
    throw new Error('--macos must name another folder than the output folder, which is emptied first.');
  }
  const release = describeRelease({ ...values, registry, out });
  // The build takes half a minute, so it comes after the checks of the arguments.
  if (isStale()) execFileSync(process.execPath, [join(root, 'scripts', 'build.ts')], { stdio: 'inherit' });
  emptyPackageFolder(out);
  const files: string[] = [];
  for (const name of only) {
    const made = await packages[name]!(release);
    for (const file of made) {
      console.log(`${file}  ${(statSync(join(out, file)).size / 1e6).toFixed(1)} MB`);
    }
    files.push(...made);
  }
  await makeRegistry(release);
  writeChannel(release, files);
  const bill = `trestle-${release.version}.cdx.json`;
  writeFileSync(join(out, bill), billOfMaterials(release));
  const sums = [...files, bill].map((file) => `${sha256(join(out, file))}  ${file}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  rmSync(join(dist, '.packages'), { recursive: true, force: true });
}

async function macos(release: Release, architecture: 'x64' | 'arm64'): Promise<string[]> {
  return values.macos === undefined
    ? packMacos(release, architecture)
    : takeMacos(release, architecture, values.macos);
}

/**
 * Makes the registry that installed copies read. Its sequence number is the release's time, so that the same source
 * gives the same index.
 */
async function makeRegistry({ out, signers, registry, time, isDevelopment }: Release): Promise<void> {
  const drivers = listDrivers().filter(({ isBundled }) => !isBundled);
  await buildRegistry({
    folder: join(out, 'registry'),
    name: isDevelopment ? 'Trestle (development)' : 'Trestle',
    packages: driverPackages(
      drivers.map(({ id, version }) => ({ id, version, folder: join(root, 'drivers', id) })),
      join(dist, 'plugins'),
    ),
    beside: [join(dist, 'plugins', `driver-kit-${readKitVersion()}.tgz`)],
    publisher: { name: isDevelopment ? 'Trestle (development)' : 'Trestle', key: signers[0] },
    signers,
    nextKeys: registry.keys,
    sequence: time.getTime(),
    signedAt: time,
  });
}

function sha256(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} was not made`);
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
