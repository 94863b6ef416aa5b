import { Socket } from 'node:net';
import { type Dial, DriverError } from '@trestle/driver-kit';
import { Channel } from './channel.ts';
import { DriverService } from './driver-service.ts';
import { linkDescriptor, socketsDescriptor, type ToHost } from './protocol.ts';
import { DialClient } from './sockets/dial-client.ts';
import { raiseSecondWall } from './walls/second-wall.ts';
import { takeAwaySignals } from './walls/take-away.ts';
import { watchApp } from './watch-app.ts';

/** The entry file of a driver's process. When the app dies, the pipe to the app closes and this process ends. */

// Ctrl-C in a terminal, or closing the terminal, signals the whole process group. A driver host ignores the signal:
// the app closes its driver hosts itself.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

takeAwaySignals();
const { endsWithApp, ...wall } = raiseSecondWall(JSON.parse(process.argv[2] ?? '{"read":[],"write":[]}'));
watchApp({ endsWithApp });

const channel = new Channel(new Socket({ fd: linkDescriptor, readable: true, writable: true }), {
  onMessage: (message) => service.receive(message as ToHost),
  onEnd: () => process.exit(0),
});
const service = new DriverService({
  send: (message) => channel.send(message),
  onClosed: () => process.exit(0),
  openDial,
});
channel.send({ type: 'wall', wall });

function openDial(network: boolean): Dial {
  if (network) {
    const client = new DialClient(new Socket({ fd: socketsDescriptor, readable: true, writable: true }));
    return (call) => client.dial(call);
  }
  return async () => {
    throw new DriverError({
      code: 'unsupported',
      message: 'The manifest of this driver names no network.',
      hint: 'Name the fields of host and port in process.network.',
    });
  };
}
