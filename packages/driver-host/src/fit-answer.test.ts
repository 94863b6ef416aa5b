import type { RunOutcome } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { fitAnswer } from './fit-answer.ts';

const large = (): RunOutcome['results'] => [{ kind: 'document', document: 'x'.repeat(70_000_000) }];

test.each(['write', 'destroy'] as const)(
  'a statement that changed data (%s) does not fail because of its large answer',
  (effect) => {
    expect(fitAnswer('run', { effect, results: large(), messages: [] })).toEqual({
      effect,
      results: [],
      messages: [
        {
          level: 'warning',
          text: 'The statement was carried out. Its answer is larger than 64 MB and is not shown. Do not run it again.',
        },
      ],
    });
  },
);

test('a read with a large answer fails', () => {
  expect(() => fitAnswer('run', { effect: 'read', results: large(), messages: [] })).toThrow(
    'The answer is larger than 64 MB',
  );
});
