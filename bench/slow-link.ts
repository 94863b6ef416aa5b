import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP relay that is as slow as a network: each byte arrives late, and the bytes of each direction share the speed. */
export async function startSlowLink(
  targetPort: number,
  { roundTripMs, bitsPerSecond }: { roundTripMs: number; bitsPerSecond: number },
) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const one of [client, target]) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => {}).once('close', () => sockets.delete(one));
    }
    carry(client, target);
    carry(target, client);
  });

  function carry(from: Socket, to: Socket): void {
    let freeAt = 0;
    let waiting = 0;
    from.on('data', (bytes: Buffer) => {
      const now = performance.now();
      freeAt = Math.max(now, freeAt) + (bytes.length * 8000) / bitsPerSecond;
      waiting += bytes.length;
      if (waiting > mostWaiting) from.pause();
      setTimeout(
        () => {
          waiting -= bytes.length;
          if (waiting <= mostWaiting) from.resume();
          if (!to.destroyed) to.write(bytes);
        },
        freeAt - now + roundTripMs / 2,
      );
    });
    from.once('close', () => setTimeout(() => to.end(), roundTripMs));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const one of sockets) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** More bytes than this wait on the sender's side, as on a real network. */
const mostWaiting = 1024 * 1024;
