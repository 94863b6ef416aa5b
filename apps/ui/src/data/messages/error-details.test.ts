import { expect, test } from 'vitest';
import { errorDetails } from './error-details.ts';

const time = new Date('2026-11-16T10:00:00Z');

test('details contain the message, hint, code, connection, version and time', () => {
  const error = { code: 'query_failed', message: 'No such table', hint: 'Did you mean planets?' };
  expect(errorDetails(error, { connection: 'Live', version: '0.1.0', time })).toBe(
    [
      'No such table',
      'Did you mean planets?',
      '',
      'Code: query_failed',
      'Connection: Live',
      'Trestle: 0.1.0',
      'Time: 2026-11-16T10:00:00.000Z',
    ].join('\n'),
  );
});

test('a missing hint, connection or version is left out of the details', () => {
  const error = { code: 'app_unreachable', message: 'Trestle is not answering' };
  expect(errorDetails(error, { connection: null, version: null, time })).toBe(
    'Trestle is not answering\n\nCode: app_unreachable\nTime: 2026-11-16T10:00:00.000Z',
  );
});
