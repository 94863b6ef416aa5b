import { AppError } from '../errors.ts';
import type { ProgramRights } from '../types.ts';
import type { BudgetHolders } from './budget-holders.ts';
import type { HourlyBudget } from './hourly-budget.ts';
import { programCaller } from './program-caller.ts';

/** The rows that the imports of programs may replace in an hour. They count together with the rows of `trestle query`. */
export interface ProgramBudget {
  /** How many rows programs may still change in this hour. */
  left(connectionId: string): number;
  reserve(
    connectionId: string,
    ...rows: Parameters<ProgramRights['reserve']>
  ): ReturnType<ProgramRights['reserve']>;
}

export function createProgramBudget(budget: HourlyBudget, holders: BudgetHolders): ProgramBudget {
  return {
    left(connectionId) {
      const holder = holders(programCaller, connectionId);
      return Math.max(0, holder.limit().changed - budget.used(holder).written.changed);
    },
    async reserve(connectionId, wanted, signal) {
      const holder = holders(programCaller, connectionId);
      const hold = await budget.reserve(holder, wanted, signal);
      if (hold) return hold;
      throw new AppError({
        code: 'refused',
        message: `The import would replace more rows than programs may change in an hour (${holder.limit().changed.toLocaleString('en')} on this connection)`,
        hint: 'Import it in the window, or type the administrator passphrase at a terminal.',
      });
    },
  };
}
