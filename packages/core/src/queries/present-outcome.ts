import { redactDetails } from '@trestle/driver-host';
import type { ChangeOutcome } from '@trestle/driver-kit';
import type { Mask } from '../masking/mask.ts';

interface Presenting {
  table: string;
  mask: Mask;
  redact(text: string): string;
}

/** The outcome of a change as its caller may see it: no secret of the connection, no masked value. */
export function presentOutcome(outcome: ChangeOutcome, { table, mask, redact }: Presenting): ChangeOutcome {
  const { error, warning } = outcome;
  return mask.outcome(table, {
    ...outcome,
    ...(error && { error: redactDetails(error, redact) }),
    ...(warning !== undefined && { warning: redact(warning) }),
  });
}
