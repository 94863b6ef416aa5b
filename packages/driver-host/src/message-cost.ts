import { serialize } from 'node:v8';

/**
 * About how much memory `deserialize` needs for these bytes, or undefined if it would not read them. Three bytes can
 * describe an object of 56, so a message of 90 MB could fill the memory of its reader and end it. Reads the marks of V8's
 * format one after the other: each says how many bytes follow, wherever it stands. Source: `value-serializer.cc` of V8,
 * and `DefaultSerializer` of Node for arrays of bytes and numbers.
 */
export function messageCost(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): number | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== formatVersion) return undefined;
  let at = 2;
  let cost = 0;
  /** A number of up to five bytes. Each has seven bits, and says whether another follows. */
  const number = (): number => {
    let value = 0;
    for (let shift = 1; shift <= 2 ** 28; shift *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) return Number.NaN;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length && cost <= most) {
    switch (bytes[at++]) {
      case mark.padding:
        break;
      case mark.undefined:
      case mark.null:
      case mark.true:
      case mark.false:
      case mark.hole:
        cost += 8;
        break;
      case mark.int:
      case mark.uint:
      case mark.reference:
        number();
        cost += 8;
        break;
      case mark.double:
      case mark.date:
        at += 8;
        cost += 24;
        break;
      case mark.bigint: {
        const size = Math.floor(number() / 2);
        at += size;
        cost += 24 + size;
        break;
      }
      case mark.oneByteText:
      case mark.twoByteText: {
        const size = number();
        at += size;
        cost += 24 + size;
        break;
      }
      case mark.object:
        cost += 160;
        break;
      case mark.list:
        cost += 32 + 8 * number();
        break;
      case mark.sparseList:
        number();
        cost += 160;
        break;
      case mark.map:
      case mark.set:
        cost += 200;
        break;
      case mark.objectEnd:
      case mark.mapEnd:
      case mark.setEnd:
        number();
        break;
      case mark.listEnd:
      case mark.sparseListEnd:
        number();
        number();
        break;
      case mark.view: {
        number();
        const size = number();
        at += size;
        cost += 200 + size;
        break;
      }
      default:
        return undefined;
    }
    // A number without an end makes this NaN.
    if (!(at <= bytes.length)) return undefined;
  }
  return cost;
}

/** The version of the format that this Node writes. It reads older versions too, which have other marks. */
const formatVersion = serialize(null)[1];

const mark = Object.fromEntries(
  Object.entries({
    padding: '\0',
    undefined: '_',
    null: '0',
    true: 'T',
    false: 'F',
    hole: '-',
    int: 'I',
    uint: 'U',
    double: 'N',
    date: 'D',
    bigint: 'Z',
    oneByteText: '"',
    twoByteText: 'c',
    reference: '^',
    object: 'o',
    objectEnd: '{',
    list: 'A',
    listEnd: '$',
    sparseList: 'a',
    sparseListEnd: '@',
    map: ';',
    mapEnd: ':',
    set: "'",
    setEnd: ',',
    view: '\\',
  }).map(([name, letter]) => [name, letter.charCodeAt(0)]),
) as Record<string, number>;
