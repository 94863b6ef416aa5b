import { statSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { isFieldVisible, type Manifest } from '@trestle/driver-kit';
import { realPath } from '../real-path.ts';
import type { Connection } from '../types.ts';

type Fields = Connection['fields'];

/**
 * What a connection leads to, in one spelling: its server, and each file and folder that it opens. Two connections that
 * share one of these lead to the same rows. The driver and all other fields make no difference. A server that has
 * another name in DNS is not recognised.
 */
export function placesOf({ process, fields: described }: Manifest, fields: Fields): string[] {
  const fieldValue = (id: string) => {
    const field = described.find((one) => one.id === id);
    return fields[id] ?? (field && 'default' in field ? field.default : undefined);
  };
  const server = process.network
    ? [
        JSON.stringify([
          'server',
          hostIn(String(fieldValue(process.network.host) ?? '')),
          Number(fieldValue(process.network.port)),
        ]),
      ]
    : [];
  const paths = described.flatMap((field) => {
    const path = fields[field.id];
    const isOpened = field.type === 'folder' || (field.type === 'file' && field.deliver === 'path');
    return isOpened && isFieldVisible(field, fields) && typeof path === 'string' && path !== '' ? [path] : [];
  });
  return [...server, ...paths.flatMap(placesOnDisk)];
}

/** A file may have several names (hard links), and a name may get another file. */
function placesOnDisk(path: string): string[] {
  const places = [JSON.stringify(['path', realPath(path)])];
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    if (ino > 0n) places.push(JSON.stringify(['file', String(dev), String(ino)]));
  } catch {
    // The file does not exist yet, or cannot be reached now.
  }
  return places;
}

/** `localhost` for this machine, else the address or the name in its usual spelling. */
function hostIn(given: string): string {
  const host = spelling(given.trim());
  const isLocal =
    /^(ip6-)?(localhost|loopback)$|[.]localhost$|^localhost[.]localdomain$|^127[.]|^0[.]0[.]0[.]0$|^::1?$/.test(
      host,
    ) || ownNames().has(host);
  return isLocal ? 'localhost' : host;
}

function ownNames(): Set<string> {
  const name = hostname().toLowerCase();
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.map(({ address }) => address),
  );
  return new Set([name, `${name}.local`, ...addresses.map(spelling)]);
}

/** The spelling of a URL: `127.1`, `0x7f.1`, `[::ffff:127.0.0.1]` and `LOCALHOST.` have other spellings there. */
function spelling(host: string): string {
  const bare = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
    .replace(/[.]+$/, '');
  const url = URL.parse(`http://${bare.includes(':') ? `[${bare}]` : bare}/`);
  const name = (url ? url.hostname.replace(/^\[(.*)\]$/, '$1') : bare.toLowerCase()).replace(/[.]+$/, '');
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(name);
  if (!mapped) return name;
  const [high, low] = mapped.slice(1).map((part) => Number.parseInt(part, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
