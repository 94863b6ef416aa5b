import { appendFileSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCore } from '@trestle/core';

/**
 * Runs in its own mount namespace, where `home` is a small disk. Prints how an install ends without room to
 * download, without room to unpack, and with enough room.
 */
const [home = '', dist = ''] = process.argv.slice(2);
const { registry } = JSON.parse(readFileSync(join(dist, 'edition.json'), 'utf8'));
const core = await createCore({
  home,
  hostEntry: join(dist, 'driver-host.js'),
  bundledDrivers: [],
  secretStore: 'file',
  registry: { address: pathToFileURL(`${join(dist, 'registry')}/`).href, keys: registry.keys },
});
const signal = new AbortController().signal;
await core.drivers.refresh({ signal });
const [{ size } = { size: 0 }] = core.drivers.listed();
const filler = join(home, 'filler');

const install = () =>
  core.drivers.install('weaviate', { signal }).then(
    ({ manifest }) => ({ installed: manifest.id }),
    ({ code, message, hint }) => ({ code, message, hint, left: readdirSync(join(home, 'plugins')) }),
  );

leaveFree(size / 2);
const download = await install();
leaveFree(size + 50_000);
const unpack = await install();
rmSync(filler);
const room = await install();
console.log(JSON.stringify({ download, unpack, room }));
await core.close();

function leaveFree(bytes: number): void {
  writeFileSync(filler, '');
  const free = () => {
    const { bavail, bsize } = statfsSync(home);
    return bavail * bsize;
  };
  while (free() > bytes) appendFileSync(filler, Buffer.alloc(4096));
}
