import type { Socket } from 'node:net';

/**
 * Enough for an import of some thousand saved connections, or for the rows that `cli/import-rows.ts` sends at once. A
 * peer that never ends its line must not fill the memory.
 */
const maxLineBytes = 16 * 1024 * 1024;

/** The first line of a peer. Null if the peer hangs up early, or sends more than `mostBytes` without a line end. */
export function readLine(socket: Socket, mostBytes = maxLineBytes): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      const end = chunk.indexOf(10);
      chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
      length += chunk.length;
      if (end >= 0) {
        // Data after the line is dropped. If it were kept, a peer could fill the memory.
        socket.off('data', take);
        resolve(Buffer.concat(chunks).toString('utf8'));
      } else if (length > mostBytes) {
        socket.destroy();
        resolve(null);
      }
    };
    socket.on('data', take);
    socket.once('close', () => resolve(null));
    socket.once('error', reject);
  });
}
