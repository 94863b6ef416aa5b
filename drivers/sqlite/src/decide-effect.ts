import { constants as c } from 'node:sqlite';
import type { Effect } from '@trestle/driver-kit';
import type { Action } from './authorizer-action.ts';
import { isGraveCommand } from './full-text-command.ts';
import type { Handle } from './handle.ts';
import type { StatementShape } from './statement-shape.ts';
import type { Token } from './tokenizer.ts';

/** The effect of a compiled statement, from its text and its authorizer requests. In doubt, the stronger effect. */
export function decideEffect(
  handle: Handle,
  { shape, actions, words }: { shape: StatementShape; actions: Action[]; words: Token[] },
): Effect {
  if (shape.explain) return 'read';
  // VACUUM cannot run in a transaction, so it cannot be rolled back.
  if (shape.verb === 'DROP' || shape.verb === 'VACUUM' || shape.drops) return 'destroy';
  if (actions.some(({ code }) => destroying.has(code))) return 'destroy';
  // CREATE INDEX IF NOT EXISTS requests no write if the index exists. Without such a request, the verb decides.
  if (!actions.some(isWrite)) return readingVerbs.has(shape.verb) ? 'read' : 'write';
  if (isGraveCommand(handle, words)) return 'destroy';
  const own = actions.filter((action) => action.source === null && !isSchemaTable(action.first));
  if (
    own.some(({ code }) => code === c.SQLITE_DELETE || code === c.SQLITE_UPDATE) &&
    !bounded.has(shape.verb)
  ) {
    return choosesRows(handle, shape) ? 'write' : 'destroy';
  }
  return 'write';
}

/**
 * Whether the WHERE depends on the rows. A WHERE that still compiles without the table does not: `WHERE 1`,
 * `WHERE EXISTS (SELECT 1 FROM other)`.
 */
function choosesRows(handle: Handle, shape: StatementShape): boolean {
  if ((shape.verb !== 'DELETE' && shape.verb !== 'UPDATE') || shape.where === null) return false;
  const from = shape.from === null ? '' : `FROM ${shape.from}\n`;
  try {
    handle.db.prepare(`${shape.with} SELECT 1 ${from}WHERE (${shape.where}\n)`);
    return false;
  } catch (error) {
    return error instanceof Error && /^no such column/.test(error.message);
  }
}

function isWrite({ code, second }: Action): boolean {
  // FTS3's optimize() writes from inside a SELECT.
  if (code === c.SQLITE_FUNCTION) return second?.toLowerCase() === 'optimize';
  return !reading.has(code);
}

function isSchemaTable(name: string | null): boolean {
  return name !== null && /^sqlite_(temp_)?(master|schema)$/i.test(name);
}

const reading = new Set<number>([c.SQLITE_READ, c.SQLITE_SELECT, c.SQLITE_RECURSIVE, c.SQLITE_PRAGMA]);

export const readingVerbs = new Set(['SELECT', 'VALUES', 'PRAGMA']);

/** Statements that update or delete only conflicting rows or SQLite's own tables. */
const bounded = new Set(['INSERT', 'REPLACE', 'ALTER', 'CREATE', 'ANALYZE', 'REINDEX']);

const destroying = new Set<number>([
  // A trigger runs later, as part of another statement, and may delete anything.
  c.SQLITE_CREATE_TRIGGER,
  c.SQLITE_DROP_INDEX,
  c.SQLITE_DROP_TABLE,
  c.SQLITE_DROP_TEMP_INDEX,
  c.SQLITE_DROP_TEMP_TABLE,
  c.SQLITE_DROP_TEMP_TRIGGER,
  c.SQLITE_DROP_TEMP_VIEW,
  c.SQLITE_DROP_TRIGGER,
  c.SQLITE_DROP_VIEW,
  c.SQLITE_DROP_VTABLE,
]);
