import { connect } from 'node:net';
import type { Dial } from '../driver.ts';

/** For a driver that runs in the process of a test. Otherwise the app dials. */
export function directDial({ host, port }: { host: string; port: number }): Dial {
  return ({ signal }) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, noDelay: true, signal });
      socket.once('error', reject).once('connect', () => resolve(socket.off('error', reject)));
    });
}

export const noNetwork: Dial = () => Promise.reject(new Error('This driver has no network'));
