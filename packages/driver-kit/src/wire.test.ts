import { expect, test } from 'vitest';
import { packWire, unpackWire } from './wire.ts';

test('every kind of cell comes back as it was', () => {
  const value = {
    text: 'x\u0000é',
    big: 9007199254740993n,
    nothing: null,
    infinite: [Number.POSITIVE_INFINITY, -0.5],
    floats: new Float32Array([0.1, -2, 3e38]),
    odd: new Uint8Array([1, 2, 3]),
    after: new Float32Array([7]),
    nested: [{ a: [1, { b: false }] }],
  };
  expect(unpackWire(packWire(value))).toEqual(value);
});

test('the keys of an object may look like tags of the codec', () => {
  const value = { $int: 'not ours', $$floats: [0, 1], inner: { $bytes: [0, 9], plain: { $: 1 } } };
  expect(unpackWire(packWire(value))).toEqual(value);
});

test('bytes that begin at an odd offset of a larger buffer are read', () => {
  const packed = packWire({ floats: new Float32Array([1.5, 2.5]) });
  const shifted = new Uint8Array(packed.length + 3);
  shifted.set(packed, 3);
  expect(unpackWire(shifted.subarray(3))).toEqual({ floats: new Float32Array([1.5, 2.5]) });
  expect(unpackWire(Buffer.from(packed))).toEqual({ floats: new Float32Array([1.5, 2.5]) });
});

test('a Buffer arrives as bytes, and negative zero keeps its sign', () => {
  const value = { bytes: Buffer.from([1, 2, 255]), zero: -0 };
  expect(unpackWire(packWire(value))).toEqual({ bytes: new Uint8Array([1, 2, 255]), zero: -0 });
});

test('packing does not change its input, and undefined and dates follow JSON’s rules', () => {
  const value = { big: [1n, 'a'], $own: { left: undefined }, at: new Date(0), list: [undefined, 'b'] };
  const before = structuredClone(value);
  const expected = { big: [1n, 'a'], $own: {}, at: '1970-01-01T00:00:00.000Z', list: [null, 'b'] };
  expect(unpackWire(packWire(value))).toEqual(expected);
  expect(value).toEqual(before);
});

test('a key named __proto__ survives like any other key', () => {
  const value: unknown = JSON.parse('{"__proto__": {"$a": [1]}, "b": 1}');
  expect(unpackWire(packWire(value))).toStrictEqual(value);
});
