import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on loopback alone, on the preferred port or on one the kernel picks; gives the port. */
export async function listen(server: Server, preferred: number): Promise<number> {
  try {
    await bind(server, preferred);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    await bind(server, 0);
  }
  return (server.address() as AddressInfo).port;
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
