import { expect, test } from 'vitest';
import { assertAnswered, withoutVectors } from './documents.ts';

test('errors without data are a failure, errors beside data are not', () => {
  const messages = [{ level: 'error' as const, text: 'Cannot query field "nope"' }];
  const document = (value: Parameters<typeof withoutVectors>[0]) => ({
    kind: 'document' as const,
    document: value,
  });
  const failure = expect.objectContaining({ code: 'query_failed', message: 'Cannot query field "nope"' });
  for (const results of [[], [document(null)], [document({ Get: { Species: null } })]]) {
    expect(() => assertAnswered({ results, messages })).toThrow(failure);
    assertAnswered({ results, messages: [] });
  }
  assertAnswered({ results: [document({ Get: { A: null, B: [] } })], messages });
});

test('vectors of objects are left out of a document', () => {
  const given = {
    class: 'A',
    vector: [1, 2],
    vectors: {
      a: [1],
      b: [
        [1, 2],
        [3, 4],
      ],
    },
    properties: { vector: 'x', list: [1, 2, 3], vectors: { a: 'x' } },
    vectorConfig: { vector: null },
  };
  const { vector: _, vectors: __, ...rest } = given;
  expect(withoutVectors([given])).toEqual({ document: [rest], leftOut: 2 });
});
