import { once } from 'node:events';
import { connect } from 'node:net';
import type { Dial } from '../driver.ts';
import { DriverError, isDriverError } from '../errors.ts';

/** For a driver that runs in the process of a test. Otherwise the app dials. */
export function directDial({ host, port }: { host: string; port: number }): Dial {
  return async ({ signal }) => {
    const socket = connect({ host, port, noDelay: true });
    const onAbort = () => socket.destroy(new DriverError({ code: 'cancelled', message: 'Cancelled' }));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      if (isDriverError(error)) throw error;
      const message = `Connection failed: ${(error as Error).message}`;
      throw new DriverError({ code: 'connection_failed', message }, { cause: error });
    } finally {
      // An abort after the dial leaves the socket open, as in the app.
      signal.removeEventListener('abort', onAbort);
    }
  };
}

export const noNetwork: Dial = () => Promise.reject(new Error('This driver has no network'));
