import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { readLine } from '../../apps/desktop/src/control/line.ts';
import { readControlSecret } from '../../apps/desktop/src/control/secret.ts';

/**
 * Sends a command to the app's socket, as a second launch or a command line does, and returns the result. The socket is
 * in the data directory if its path is short, as it is in tests.
 */
export async function askRunningApp(
  dataDirectory: string,
  command: string,
  input: unknown,
): Promise<unknown> {
  const socket = connect(join(dataDirectory, 'control.sock'));
  try {
    await once(socket, 'connect');
    const answer = readLine(socket);
    const secret = readControlSecret(dataDirectory);
    socket.write(`${JSON.stringify({ secret, command, input, passphrase: null })}\n`);
    const line = await answer;
    const { ok, result } = JSON.parse(line ?? '{}');
    if (!ok) throw new Error(`The app did not do ${command}: ${line}`);
    return result;
  } finally {
    socket.destroy();
  }
}
