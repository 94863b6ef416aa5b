import { duplexPair } from 'node:stream';
import type { ConnectionFields, Dial } from '@trestle/driver-kit';
import { dialTarget } from '../sockets/dial.ts';
import { DialClient } from '../sockets/dial-client.ts';
import { SocketRelay } from '../sockets/socket-relay.ts';

/** Dials like the app, for a driver that runs inside the test's process. Both ends of the relay are here. */
export function relayedDial(fields: ConnectionFields): Dial {
  const [app, host] = duplexPair();
  new SocketRelay(app, {
    target: () => dialTarget({ host: 'host', port: 'port' }, fields),
    onOffence: (offence) => {
      throw new Error(`The driver ${offence}`);
    },
  });
  const client = new DialClient(host);
  return (call) => client.dial(call);
}
