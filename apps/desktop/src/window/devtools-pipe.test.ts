import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openDevtoolsPipe } from './devtools-pipe.ts';

test('a command fails if the browser closes the pipe before the command or before its answer', async () => {
  const [toBrowser, fromBrowser] = [new PassThrough(), new PassThrough()];
  const pipe = openDevtoolsPipe(toBrowser, fromBrowser);
  const before = expect(pipe.send('Browser.close')).rejects.toThrow('The browser has ended');
  fromBrowser.destroy();
  await once(fromBrowser, 'close');
  await before;
  await expect(pipe.send('Browser.close')).rejects.toThrow('The browser has ended');
});
