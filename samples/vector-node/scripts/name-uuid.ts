import { createHash } from 'node:crypto';

/** RFC 9562 version 5: the same name always gives the same uuid, on every machine. */
export function nameUuid(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name.normalize('NFC')).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The version 5 uuid of `trestle.sample` in the DNS namespace. */
const NAMESPACE = Buffer.from('6fb5284b257055d3ac4dc8a1ed015e1e', 'hex');
