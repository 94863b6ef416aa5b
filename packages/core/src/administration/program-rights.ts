import type { ProgramBudget } from '../access/program-budget.ts';
import { AppError } from '../errors.ts';
import type { Connection, Connections, Masking, ProgramRights } from '../types.ts';

export interface ProgramWork {
  name: 'import' | 'copy' | 'export' | 'change';
  wants: 'read' | 'write';
  /** The ids of the connections that the work reads or writes. An import has one. */
  places: [string, ...string[]];
}

/** Checked before each batch: the user may take a program's rights away while its import, copy or export runs. */
export function programRights(
  { name, wants, places }: ProgramWork,
  parts: { connections: Pick<Connections, 'get'>; budget: ProgramBudget; onClosed(problem: string): void },
): ProgramRights {
  const { connections, budget, onClosed } = parts;
  let isTold = false;
  return {
    assertOpen() {
      const closed = places.find((id) => !isOpenTo(wants, connections.get(id)));
      if (closed === undefined) return;
      const error = closedMeanwhile(name, wants, connections.get(closed));
      // Two batches may be under way. The reason is logged once.
      if (!isTold) onClosed(error.message);
      isTold = true;
      throw error;
    },
    mostReplaced: () => Math.min(...places.map((id) => connections.get(id)?.reachLimit ?? 0)),
    reserve: (wanted, signal) => budget.reserve(places[0], wanted, signal),
  };
}

/**
 * Without the passphrase, a program may import, copy and export only where an AI client may read or write without
 * approval and nothing is masked. Otherwise it could bypass the levels of a connection through the command line or a
 * printed link.
 */
export function isOpenTo(wants: 'read' | 'write', connection: Connection | undefined): boolean {
  if (connection?.aiPolicy !== 'alwaysAllow' || isMasked(connection.masking)) return false;
  const { externalClients } = connection;
  return wants === 'read' ? externalClients !== 'blocked' : externalClients === 'readWrite';
}

export function notOpen(wants: 'read' | 'write'): string {
  const blocked = wants === 'read' ? 'blocked' : 'blocked, read-only';
  return `masked, ${blocked} or not Always Allow for AI clients`;
}

function closedMeanwhile(
  name: ProgramWork['name'],
  wants: 'read' | 'write',
  connection: Connection | undefined,
): AppError {
  if (!connection) {
    return new AppError({
      code: 'not_found',
      message: `The connection was removed while the ${name} ran`,
      hint: doneHints[name],
    });
  }
  return new AppError({
    code: 'forbidden',
    message: `"${connection.name}" was restricted while the ${name} ran: it is now ${notOpen(wants)}`,
    hint: `${doneHints[name]} Run it again in the window, or type the administrator passphrase at a terminal.`,
  });
}

const rowsStay = 'The rows that are counted as stored stay there. No further rows were sent.';

const doneHints: Record<ProgramWork['name'], string> = {
  import: rowsStay,
  copy: rowsStay,
  export: 'The export is incomplete.',
  change: 'Nothing more was sent.',
};

function isMasked(masking: Masking | undefined): boolean {
  return masking !== undefined && (masking.columns.length > 0 || masking.patterns.length > 0);
}
