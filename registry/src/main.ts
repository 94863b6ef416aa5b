import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listDrivers, readKitVersion, root } from '../../scripts/stale.mjs';
import { buildRegistry, daysValid, readIndex } from './build-registry.ts';
import { developmentKey, fingerprintOf, newKey, privateKey, publicKeyOf } from './keys.ts';
import { driverPackages } from './pack-drivers.ts';
import { releaseKeys, releaseSigners } from './release-key.ts';

const help = `Usage: npm run registry -- --out FOLDER [--name NAME] [--development] [--sequence N] [--days N] [--next-key PUBLIC]...
       npm run registry -- --new-key FILE

Adds the drivers that are not bundled, and the driver kit for authors, to the registry in FOLDER and signs its index. Any web server can serve FOLDER.

  TRESTLE_REGISTRY_KEY      the release key: a PEM file with an Ed25519 private key, or its text
  TRESTLE_REGISTRY_OLD_KEY  the previous release key, in the same form; it also signs, for apps that know only this key
  --name NAME               the name of the registry and of the publisher of its drivers. Defaults to Trestle
  --development             sign with the key of this checkout, not with the release key
  --sequence N              number of the index; must grow each time. Defaults to the current time in milliseconds,
                            or to the previous number plus 1 if that is larger
  --days N                  apps install nothing from this index after N days. Defaults to 90
  --next-key PUBLIC         apps trust only these keys from this index on. Defaults to registry/release-keys.json,
                            or with --development to the key of this checkout
  --new-key FILE            make a release key in FILE and print its public half for registry/release-keys.json`;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    name: { type: 'string', default: 'Trestle' },
    development: { type: 'boolean', default: false },
    sequence: { type: 'string' },
    days: { type: 'string', default: String(daysValid) },
    'next-key': { type: 'string', multiple: true },
    'new-key': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || (!values.out && !values['new-key'])) {
  console.log(help);
  process.exitCode = values.help ? 0 : 1;
} else if (values['new-key']) {
  writeFileSync(values['new-key'], newKey(), { mode: 0o600, flag: 'wx' });
  console.log(publicKeyOf(privateKey(readFileSync(values['new-key'], 'utf8'))));
} else await publish(values.out!);

async function publish(folder: string): Promise<void> {
  const signers = values.development
    ? ([developmentKey(join(root, '.cache', 'registry-key.pem'))] as const)
    : releaseSigners(root);
  const nextKeys = values['next-key'] ?? (values.development ? undefined : releaseKeys(root));
  const before = readIndex(join(folder, 'index.json'))?.sequence ?? 0;
  const drivers = listDrivers()
    .filter(({ isBundled }) => !isBundled)
    .map(({ id, version }) => ({ id, version, folder: join(root, 'drivers', id) }));
  const index = await buildRegistry({
    folder,
    name: values.name,
    packages: driverPackages(drivers, join(root, 'dist', 'plugins')),
    beside: [join(root, 'dist', 'plugins', `driver-kit-${readKitVersion()}.tgz`)],
    publisher: { name: values.name, key: signers[0] },
    signers: [...signers],
    ...(nextKeys && { nextKeys }),
    sequence: values.sequence ? Number(values.sequence) : Math.max(Date.now(), before + 1),
    days: readDays(values.days),
    allowRebuild: values.development,
  });
  console.log(
    `${folder}: ${index.plugins.length} packages, index ${index.sequence}, valid until ${index.expiresAt}`,
  );
  console.log(`Fingerprint of the signing key: ${fingerprintOf(publicKeyOf(signers[0]))}`);
}

function readDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 1000) return days;
  throw new Error(`--days takes a whole number from 1 to 1000, not ${text}`);
}
