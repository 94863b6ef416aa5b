import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Dial } from '@trestle/driver-kit';
import { buildConnector } from 'undici';

/** Makes undici take the sockets that the app dials, with TLS on top of them where the settings ask for it. */
export function dialConnector(dial: Dial, tls: ConnectionOptions | null): buildConnector.connector {
  const secure = buildConnector({ ...tls, timeout: handshakeMs });
  return (options, callback) => {
    // The app ends a dial that takes too long, and undici cannot cancel one.
    dial({ signal: new AbortController().signal }).then(
      (socket) => {
        // undici asks for a net.Socket, and uses what every Duplex has.
        const httpSocket = socket as Socket;
        if (tls) secure({ ...options, httpSocket }, callback);
        else callback(null, httpSocket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

const handshakeMs = 10_000;
