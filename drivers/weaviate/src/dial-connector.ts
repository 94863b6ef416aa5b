import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { ConnectStage, Dial } from '@trestle/driver-kit';
import { buildConnector } from 'undici';

/** Makes undici use the sockets that the app dials, with TLS on top if the settings ask for it. */
export function dialConnector(
  dial: Dial,
  tls: ConnectionOptions | null,
  stage: (stage: ConnectStage) => void,
): buildConnector.connector {
  const secure = buildConnector({ ...tls, timeout: handshakeMs });
  return (options, callback) => {
    // undici cannot cancel a dial. The app ends a dial that takes too long.
    dial({ signal: new AbortController().signal }).then(
      (socket) => {
        // undici asks for a net.Socket, but uses only the members that every Duplex has.
        const httpSocket = socket as Socket;
        if (!tls) {
          stage('authenticate');
          callback(null, httpSocket);
          return;
        }
        stage('tls');
        const secured: buildConnector.Callback = (...outcome) => {
          if (outcome[0] === null) stage('authenticate');
          callback(...outcome);
        };
        secure({ ...options, httpSocket }, secured);
      },
      (error: Error) => callback(error, null),
    );
  };
}

const handshakeMs = 10_000;
