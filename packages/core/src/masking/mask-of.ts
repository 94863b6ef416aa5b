import type { Caller, Connections, Drivers } from '../types.ts';
import { Mask, openMask } from './mask.ts';

/** A person sees everything. A client sees only values that the connection's masking allows. */
export function createMaskOf(parts: {
  connections: Pick<Connections, 'get'>;
  drivers: Pick<Drivers, 'get'>;
}): (caller: Caller, connectionId: string) => Mask {
  return (caller, connectionId) => {
    const connection = parts.connections.get(connectionId);
    if (caller.kind === 'person' || !connection?.masking) return openMask;
    const driverGuards = parts.drivers.get(connection.driver)?.guardsColumns === true;
    return new Mask(connection.masking, { driverGuards });
  };
}
