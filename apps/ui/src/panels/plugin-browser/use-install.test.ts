import { expect, test } from 'vitest';
import { ApiError } from '../../data/api/api.ts';
import { shownError } from './use-install.ts';

test('only an install that the user cancelled fails without a message', () => {
  expect(shownError(new ApiError({ code: 'cancelled', message: 'The download was cancelled' }))).toBeNull();
  const failure = new ApiError({ code: 'connection_failed', message: 'Cancelled by the server' });
  expect(shownError(failure)).toBe(failure);
  expect(shownError(null)).toBeNull();
});
