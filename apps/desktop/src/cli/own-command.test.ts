import { expect, test } from 'vitest';
import { asTyped } from './own-command.ts';

test('a command in a folder with dollar signs is printed as it is', () => {
  const typed = asTyped('Run `trestle stop`.', () => "'/opt/$$ $& $`/bin/trestle'");
  expect(typed).toBe("Run `'/opt/$$ $& $`/bin/trestle' stop`.");
});
