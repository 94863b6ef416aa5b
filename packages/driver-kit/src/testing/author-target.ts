import type { ConnectionFields } from '../driver.ts';
import type { ContractDatabase, ContractQueries, ContractTarget } from './target.ts';

/**
 * What a driver's author writes in `contract.ts`, exported as `target`. The check connects by itself: it starts the
 * driver in a process with the rights that its manifest asks for, as the app does.
 */
export interface AuthorTarget
  extends Pick<
    ContractTarget,
    'types' | 'bigIntegers' | 'has' | 'readsTablesOnce' | 'matches' | 'compareTexts'
  > {
  /** Absent where the manifest's editor language is `none`. */
  queries?: ContractQueries;
  /** Called once before the suite. */
  open(): Promise<Omit<ContractDatabase, 'connect'> & { fields: ConnectionFields }>;
}
