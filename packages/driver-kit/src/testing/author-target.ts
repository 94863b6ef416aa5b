import type { ConnectionFields } from '../driver.ts';
import type { ContractDatabase, ContractTarget } from './target.ts';

/**
 * The `target` that a driver's author exports from `contract.ts`. The database that its `open` returns has no `connect`:
 * `trestle plugins check` starts the driver in a process with the rights of its manifest, as the app does, and connects.
 */
export interface AuthorTarget
  extends Pick<
    ContractTarget,
    'types' | 'bigIntegers' | 'has' | 'queries' | 'readsTablesOnce' | 'matches' | 'compareTexts'
  > {
  /** Called once before the suite. */
  open(): Promise<Omit<ContractDatabase, 'connect'> & { fields: ConnectionFields }>;
}
