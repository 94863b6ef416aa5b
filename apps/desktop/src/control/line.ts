import type { Socket } from 'node:net';

/** An import of some thousand connections fits; a peer that never ends its line does not. */
const maxLineBytes = 16 * 1024 * 1024;

/** The first line a peer sends; null when it hangs up before, or sends more than a line may hold. */
export function readLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    socket.on('data', (chunk: Buffer) => {
      const end = chunk.indexOf(10);
      chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
      length += chunk.length;
      if (end >= 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else if (length > maxLineBytes) {
        socket.destroy();
        resolve(null);
      }
    });
    socket.once('close', () => resolve(null));
    socket.once('error', reject);
  });
}
