import { redactDetails } from '@trestle/driver-host';
import { briefCell, type Cell, type ChangeOutcome } from '@trestle/driver-kit';
import type { Mask } from '../masking/mask.ts';

interface Presenting {
  table: string;
  mask: Mask;
  redact(text: string): string;
}

/** The outcome of a change as its caller may see it: no secret of the connection, no masked value. */
export function presentOutcome(outcome: ChangeOutcome, { table, mask, redact }: Presenting): ChangeOutcome {
  const { error, warning, theirs } = outcome;
  return mask.outcome(table, {
    ...outcome,
    ...(error && { error: redactDetails(error, redact) }),
    ...(warning !== undefined && { warning: redact(warning) }),
    ...(theirs && { theirs: brief(theirs) }),
  });
}

/** A driver may send long cells, and the journal keeps the outcomes of a save. */
function brief(cells: Record<string, Cell>): Record<string, Cell> {
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, briefCell(cell)]));
}
