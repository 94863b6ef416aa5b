import type { StatementSync } from 'node:sqlite';
import { type Classification, DriverError } from '@trestle/driver-kit';
import type { Watched } from './authorizer.ts';
import type { Action } from './authorizer-action.ts';
import { decideEffect } from './decide-effect.ts';
import { translateError } from './errors.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { type StatementShape, statementShape } from './statement-shape.ts';
import { summarize } from './summary.ts';
import { significant, tokenize } from './tokenizer.ts';

export interface Examined extends Classification {
  text: string;
  statement: StatementSync;
  shape: StatementShape;
  actions: Action[];
}

/** Compiles the text without running it, and returns its effect. Refuses statements that no caller may run. */
export function examine(handle: Handle, given: string): Examined {
  const text = given.toWellFormed();
  const tokens = tokenize(text);
  const words = significant(tokens).filter((token) => token.text !== ';');
  if (words.length === 0) throw invalid('There is no statement to run');
  if (text.includes('\0')) throw invalid('The statement contains a NUL character');
  readSchemaAgain(handle);
  let compiled = look();
  // A statement that writes is compiled twice: the first use of a virtual table also compiles statements of the table's
  // module. Their actions must not count as actions of this text.
  if (compiled.actions.length > 0 && compiled.effect !== 'read') compiled = look();
  const { statement, actions, shape, effect } = compiled;
  const consumed = statement.sourceSQL;
  const extra = words.find((token) => token.start >= consumed.length);
  if (extra || !text.startsWith(consumed)) throw severalStatements();
  const variable = words.find((token) => token.kind === 'variable');
  if (variable)
    throw invalid(`The statement has a parameter (${variable.text}): write the value in its place`);
  if (shape.into) throw refused('VACUUM INTO is refused: a connection reaches its own file and no other.');
  return {
    text,
    statement,
    shape,
    actions,
    effect,
    summary: summarize(shape, actions, effect === 'destroy'),
  };

  function look() {
    const { value: statement, actions } = compile(handle, text);
    const { length } = statement.sourceSQL;
    const own = tokens.filter((token) => token.start < length);
    const shape = statementShape(text, own);
    return { statement, actions, shape, effect: decideEffect(handle, { shape, actions, words }) };
  }
}

/**
 * Another process may have changed the schema. Without this read, SQLite could compile a statement with the old schema
 * and run it with the new one. The result's columns would then not match its values.
 */
function readSchemaAgain(handle: Handle): void {
  queryRows(handle, sql`SELECT 1 FROM sqlite_schema LIMIT 1`);
}

function compile(handle: Handle, text: string): Extract<Watched<StatementSync>, { ok: true }> {
  const watched = handle.authorizer.watch('compile', () => handle.db.prepare(text));
  if (watched.refusal !== null) throw refused(watched.refusal);
  if (!watched.ok) throw translateError(watched.error);
  return watched;
}

export function refused(message: string): DriverError {
  return new DriverError({ code: 'refused', message });
}

function invalid(message: string): DriverError {
  return new DriverError({ code: 'invalid_argument', message });
}

function severalStatements(): DriverError {
  return new DriverError({
    code: 'refused',
    message: 'The text holds more than one statement.',
    hint: 'Run them one at a time.',
  });
}
