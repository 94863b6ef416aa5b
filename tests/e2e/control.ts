import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { readLine } from '../../apps/desktop/src/control/line.ts';
import { readControlSecret } from '../../apps/desktop/src/control/secret.ts';

/** Sends a command to the app's socket, as a second launch does. The data directories of tests have short paths. */
export async function askRunningApp(dataDirectory: string, command: string, input: unknown): Promise<void> {
  const socket = connect(join(dataDirectory, 'control.sock'));
  try {
    await once(socket, 'connect');
    const answer = readLine(socket);
    const secret = readControlSecret(dataDirectory);
    socket.write(`${JSON.stringify({ secret, command, input, passphrase: null })}\n`);
    const line = await answer;
    const { ok } = JSON.parse(line ?? '{}');
    if (!ok) throw new Error(`The app did not do ${command}: ${line}`);
  } finally {
    socket.destroy();
  }
}
