import { packWire, type RowSet, rowAt, unpackWire } from '@trestle/driver-kit';
import { AnswerMismatch, checkAnswer } from '@trestle/driver-kit/answers';
import fc from 'fast-check';
import { expect } from 'vitest';
import { fuzz } from './fuzz.ts';

const request = { table: 't', filters: [], match: 'all', sort: [], limit: 5, offset: 0 };

const honest = () => ({
  rows: {
    rowCount: 2,
    columns: [
      { name: 'a', type: 'text', nativeType: 'text' },
      { name: '__proto__', type: 'vector', nativeType: 'vector' },
    ],
    values: [
      { kind: 'cells', cells: ['x', { y: [1, null] }] },
      {
        kind: 'vectors',
        dimensions: 2,
        floats: new Float32Array([1, 2, 3, 4]),
        present: new Uint8Array([1, 0]),
      },
    ],
  },
  depth: 100,
});

/** Values that can cross the link, and that JSON cannot represent. */
const specials: Record<string, () => unknown> = {
  undefined: () => undefined,
  'not a number': () => Number.NaN,
  bigint: () => 2n ** 70n,
  'huge bigint': () => 2n ** 700n,
  map: () => new Map([['length', 1e9]]),
  date: () => new Date(0),
  bytes: () => new Uint8Array(2),
  floats: () => new Float32Array(4),
  doubles: () => new Float64Array(4),
  sparse: () => Object.assign([], { length: 1e9 }),
};

/** A change of the answer. The steps to a place are numbers, so that each fits somewhere. */
const change = fc.record({
  steps: fc.array(fc.nat(9), { maxLength: 6 }),
  value: fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(-1, 0, 1, 2, 3, 0.5, 1e9, 1e300, 'cells', 'vectors', 'text'),
    fc.constantFrom(...Object.keys(specials)).map((special) => ({ special })),
  ),
});

fuzz({
  name: 'answers',
  holds: 'a changed page is refused with our own error, or can be read completely',
  inputs: fc.array(change, { maxLength: 4 }),
  short: 3_000,
  property(changes) {
    const answer = changes.reduce<unknown>(
      (whole, { steps, value }) => changed(whole, steps, meant(value)),
      honest(),
    );
    try {
      checkAnswer('browse', [request], answer);
    } catch (error) {
      expect(error).toBeInstanceOf(AnswerMismatch);
      expect((error as Error).message.length).toBeLessThan(500);
      return;
    }
    // An accepted page can be read completely, and reaches the window as it is.
    const { rows } = answer as { rows: RowSet };
    expect(rows.rowCount).toBeLessThanOrEqual(request.limit);
    for (let row = 0; row < rows.rowCount; row++) {
      expect(Object.values(rowAt(rows, row))).toHaveLength(rows.columns.length);
    }
    unpackWire(packWire(answer));
  },
});

function changed(whole: unknown, [step, ...rest]: number[], value: unknown): unknown {
  if (step === undefined || typeof whole !== 'object' || whole === null || ArrayBuffer.isView(whole))
    return value;
  // A copy of the sparse list would fill the memory of this test.
  if (Array.isArray(whole) && whole.length > 1_000) return value;
  const names = Object.keys(whole);
  const name = names[step % Math.max(1, names.length)] ?? 'new';
  const copy = (Array.isArray(whole) ? [...whole] : { ...whole }) as Record<string, unknown>;
  copy[name] = changed(copy[name], rest, value);
  return copy;
}

function meant(value: unknown): unknown {
  const special = (value as { special?: unknown } | null)?.special;
  return typeof special === 'string' && Object.hasOwn(specials, special) ? specials[special]!() : value;
}
