import { expect, test } from 'vitest';
import { askPassphrase, usePassphraseRequest } from './passphrase-request.ts';

test('a late answer to a cancelled request leaves the next request open', async () => {
  const open = () => usePassphraseRequest.getState().request;
  const first = askPassphrase('Creating a token');
  const cancelled = open();
  cancelled?.settle(false);
  expect(await first).toBe(false);
  const second = askPassphrase('Deleting a token');
  cancelled?.settle(true);
  expect(open()?.reason).toBe('Deleting a token');
  open()?.settle(true);
  expect(await second).toBe(true);
  expect(open()).toBeNull();
});
