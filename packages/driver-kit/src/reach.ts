import { amount } from './amount.ts';
import { DriverError } from './errors.ts';
import { isWithin, type Written, writtenInWords } from './written.ts';

/** How many existing rows a statement changes or deletes. New rows do not count. */
export interface Loss {
  tables: TableLoss[];
  /** Some of the rows are affected only through a foreign key, in the statement's own table or in another. */
  cascades: boolean;
  /** A digest of the schema. If it changes after the approval, a name may belong to another table now. */
  schema: string;
}

export interface TableLoss {
  table: string;
  partition?: string;
  /** Null if the rows cannot be counted. */
  rows: number | null;
}

/** The limits of a statement. If both are undefined, only the ceiling applies. */
export interface ReachLimits {
  /** A statement whose loss is above this limit is destructive (see `exceedsReach`). */
  reach?: number;
  /**
   * How many rows the caller may write before it must ask the user. A statement that would write more has no effect and
   * fails with `over_budget`.
   */
  budget?: Written;
  /** The loss that the user approved. The statement takes effect only if the loss is still the same. */
  approved?: Loss;
}

/** Whether the loss is above the limit. A cascade or an unknown count is above every limit. */
export function exceedsReach({ tables, cascades }: Loss, limit: number): boolean {
  return cascades || rowsLost(tables) === null || rowsLost(tables)! > limit;
}

export function rowsLost(tables: readonly TableLoss[]): number | null {
  return tables.reduce<number | null>(
    (sum, { rows }) => (sum === null || rows === null ? null : sum + rows),
    0,
  );
}

/** A driver calls this function with its counts before it commits or sends the statement. */
export function assertReach(loss: Loss, { reach, approved }: ReachLimits): void {
  if (approved && !isSameLoss(approved, loss)) {
    const isSchema = approved.schema !== loss.schema;
    throw new DriverError({
      code: 'loss_changed',
      message: isSchema
        ? 'The schema changed after the user approved the statement, so nothing was changed'
        : 'The data changed after the user approved the statement, so nothing was changed',
      hint: 'Run it again: the user is asked with the new figures.',
    });
  }
  if (reach === undefined || !exceedsReach(loss, reach)) return;
  const lost = `This call would change or delete ${lossInWords(loss)}`;
  // Fewer rows would not help: any effect through a foreign key counts as destructive.
  if (loss.cascades) {
    throw new DriverError({
      code: 'above_ceiling',
      needs: 'destroy',
      message: `${lost}, which counts as destructive. Nothing was changed`,
      hint: 'First change or delete the referencing rows.',
    });
  }
  throw new DriverError({
    code: 'above_ceiling',
    needs: 'destroy',
    message: `${lost}, and the limit for one call is ${reach}. Nothing was changed`,
    hint:
      rowsLost(loss.tables) === null
        ? 'Use a statement whose rows can be counted.'
        : 'Narrow it down to fewer rows.',
  });
}

/** A driver calls this function after `assertReach`, before it commits or sends the statement. */
export function assertBudget(written: Written, { budget }: Pick<ReachLimits, 'budget'>): void {
  if (budget && !isWithin(written, budget)) {
    throw new DriverError({
      code: 'over_budget',
      message: `This call would write ${writtenInWords(written)}. Nothing was changed`,
      written,
    });
  }
}

/** `7 rows (3 of orders, 4 of lines through a foreign key)`. */
export function lossInWords({ tables, cascades }: Loss): string {
  const total = rowsLost(tables);
  const all = total === null ? 'rows that cannot be counted' : amount(total, 'row');
  const parts = tables.map(({ table, partition, rows }) => {
    const place = partition === undefined ? table : `${table}, ${partition}`;
    return rows === null ? `an unknown number of ${place}` : `${rows} of ${place}`;
  });
  const through = cascades ? ' through a foreign key' : '';
  return parts.length === 0 ? all : `${all} (${parts.join(', ')}${through})`;
}

function isSameLoss(a: Loss, b: Loss): boolean {
  const text = ({ tables, cascades, schema }: Loss) =>
    JSON.stringify([
      tables.map(({ table, partition, rows }) => JSON.stringify([table, partition ?? null, rows])).sort(),
      cascades,
      schema,
    ]);
  return text(a) === text(b);
}
