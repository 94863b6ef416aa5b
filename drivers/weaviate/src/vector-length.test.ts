import { driverErrorDetails } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { queryFailure } from './failure.ts';
import { vectorLengthFailure } from './vector-length.ts';

const path = 'explorer: get class: vector search: knn search: distance between entrypoint and query node';

test.each([
  `${path}: 1024 vs 4: vector lengths don't match`,
  `${path}: vector lengths don't match: 4 vs 1024`,
])('the message says how long the vector is and how long it must be: %s', (said) => {
  const failure = vectorLengthFailure(queryFailure(said).message, { given: 4, of: 'Fact' });
  expect(driverErrorDetails(failure)).toMatchObject({
    code: 'invalid_argument',
    message: 'The vector has 4 dimensions, but the vectors of Fact have 1024',
  });
});

test('if the given vector or the lengths are unknown, the message says as much as is known', () => {
  expect(queryFailure(`${path}: 8 vs 2: vector lengths don't match`).message).toBe(
    'Vector lengths do not match: 8 vs 2 dimensions',
  );
  expect(vectorLengthFailure("vector lengths don't match", { given: 1, of: 'Fact' })?.message).toBe(
    'The vector has 1 dimension, but the vectors of Fact have another number',
  );
  expect(vectorLengthFailure('something else')).toBeUndefined();
});
