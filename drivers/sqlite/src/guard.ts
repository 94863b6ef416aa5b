import { constants } from 'node:sqlite';
import { refusalOf } from './refusals.ts';

/** What SQLite asks leave for while it compiles a statement: https://sqlite.org/c3ref/c_alter_table.html */
export interface Action {
  code: number;
  first: string | null;
  second: string | null;
  database: string | null;
  /** The trigger or view that the action comes from; null for the statement's own. */
  source: string | null;
}

/**
 * `own`: the driver's statements. `compile`: a caller's text, which may only ask for what is not refused.
 * `execute`: the same text as it runs, when virtual tables and VACUUM compile statements of their own.
 */
type Phase = 'own' | 'compile' | 'execute';

/** One handle's authorizer. It stays in place, so that a recompilation in mid-run is asked about too. */
export class Guard {
  #phase: Phase = 'own';
  #actions: Action[] = [];
  #refusal: string | null = null;

  readonly authorize = (
    code: number,
    first: string | null,
    second: string | null,
    database: string | null,
    source: string | null,
  ): number => {
    if (this.#phase === 'own') return constants.SQLITE_OK;
    const action = { code, first, second, database, source };
    if (this.#phase === 'compile') this.#actions.push(action);
    const refusal = refusalOf(action, this.#phase);
    if (refusal === null) return constants.SQLITE_OK;
    this.#refusal ??= refusal;
    return constants.SQLITE_DENY;
  };

  /** Runs `work`, and gives what was asked for and the first refusal, with the error if there was one. */
  watch<T>(phase: 'compile' | 'execute', work: () => T): Watched<T> {
    this.#phase = phase;
    this.#actions = [];
    this.#refusal = null;
    try {
      const value = work();
      return { ok: true, value, actions: this.#actions, refusal: this.#refusal };
    } catch (error) {
      return { ok: false, error, actions: this.#actions, refusal: this.#refusal };
    } finally {
      this.#phase = 'own';
    }
  }
}

export type Watched<T> = { actions: Action[]; refusal: string | null } & (
  | { ok: true; value: T }
  | { ok: false; error: unknown }
);
