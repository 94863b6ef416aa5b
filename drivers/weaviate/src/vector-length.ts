import { DriverError } from '@trestle/driver-kit';

/**
 * The error for vectors of different lengths; undefined if the message is about something else. The server may name two
 * lengths, in an order that depends on index and version. The length that differs from `given` is the length of the
 * stored vectors.
 */
export function vectorLengthFailure(
  said: string,
  search?: { given: number; of: string },
): DriverError | undefined {
  if (!/vector lengths do(n't| not) match/i.test(said)) return undefined;
  const numbers = /(\d+) vs (\d+)/.exec(said)?.slice(1).map(Number) ?? [];
  const stored = search && numbers.find((length) => length !== search.given);
  const pair = numbers.length > 0 ? `: ${numbers.join(' vs ')} dimensions` : '';
  return new DriverError({
    code: 'invalid_argument',
    message: search
      ? `The vector has ${dimensions(search.given)}, but the vectors of ${search.of} have ${stored ?? 'another number'}`
      : `Vector lengths do not match${pair}`,
    hint: 'Use a vector of the same model as the stored ones.',
  });
}

function dimensions(count: number): string {
  return count === 1 ? '1 dimension' : `${count} dimensions`;
}
