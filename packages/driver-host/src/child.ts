import { Socket } from 'node:net';
import { Channel } from './channel.ts';
import { DriverService } from './driver-service.ts';
import { linkDescriptor, type ToHost } from './protocol.ts';
import { watchApp } from './watch-app.ts';

/** Entry of a driver's process. It lives as long as the link: when the app dies, the pipe closes and so ends this. */

// Ctrl-C in a terminal reaches the whole process group; the app closes its drivers in order instead.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

watchApp();

const channel = new Channel(new Socket({ fd: linkDescriptor, readable: true, writable: true }), {
  onMessage: (message) => service.receive(message as ToHost),
  onEnd: () => process.exit(0),
});
const service = new DriverService({
  send: (message) => channel.send(message),
  onClosed: () => process.exit(0),
});
