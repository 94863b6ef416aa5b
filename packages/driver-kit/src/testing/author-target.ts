import type { ConnectionFields } from '../driver.ts';
import type { ContractDatabase, ContractTarget } from './target.ts';

/**
 * The `target` that a driver's author exports from `contract.js` or `contract.ts`. Its `open` returns a database without
 * `connect`, because `trestle plugins check` connects. That command starts the driver in a process with the rights of
 * the driver's manifest, as the app does.
 */
export interface AuthorTarget
  extends Pick<
    ContractTarget,
    'types' | 'bigIntegers' | 'has' | 'queries' | 'readsTablesOnce' | 'matches' | 'compareTexts'
  > {
  /** Called once before the suite. */
  open(): Promise<Omit<ContractDatabase, 'connect'> & { fields: ConnectionFields }>;
}
