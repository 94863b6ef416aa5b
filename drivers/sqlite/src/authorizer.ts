import { constants } from 'node:sqlite';
import type { Action } from './authorizer-action.ts';
import { refusalOf } from './refusals.ts';

/**
 * `own`: the driver's own statements, which are not checked. `compile`: a statement is compiled, and its actions are
 * recorded. `execute`: a caller's statement runs. Virtual tables and VACUUM may then compile further statements.
 */
type Phase = 'own' | 'compile' | 'execute';

/** The authorizer of one handle. It stays set while a statement runs, since SQLite may compile the text again then. */
export class Authorizer {
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

  /**
   * Runs `work`. Returns its value or error, and the first refusal. In the phase `compile`, it also returns every
   * action that SQLite asked about.
   */
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
