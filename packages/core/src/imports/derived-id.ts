import { createHash } from 'node:crypto';

/** The namespace of all derived ids. It must never change: a file that was imported before would get new ids. */
const namespace = Buffer.from('5b1de4a8a2c94f7f9d1e0c6a7e3b2f41', 'hex');

/** A UUIDv5 (RFC 9562) of the file and the row's position. Files with the same bytes give the same ids. */
export function derivedId(fileDigest: string, ordinal: number): string {
  const bytes = createHash('sha1')
    .update(namespace)
    .update(`${fileDigest}:${ordinal}`)
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
