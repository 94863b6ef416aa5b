import { crc32, deflateSync } from 'node:zlib';

interface StripedFlag {
  stripes: string;
  colours: string[];
}

const SIZE = 12;

/** A PNG of 12×12 pixels, because 12 pixels divide into two or three equal stripes. */
export function drawFlag({ stripes, colours }: StripedFlag): Uint8Array {
  const stripe = colours.map((colour) => [...Buffer.from(colour, 'hex')]);
  const pixel = (at: number) => stripe[Math.floor((at * stripe.length) / SIZE)] ?? [];
  const rows = Array.from({ length: SIZE }, (_, y) => [
    0,
    ...Array.from({ length: SIZE }, (_, x) => pixel(stripes === 'vertical' ? x : y)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    // Level 0 stores the bytes uncompressed, so the result does not depend on the zlib version.
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
