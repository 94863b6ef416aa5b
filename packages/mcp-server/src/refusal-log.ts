import type { Activity } from '@trestle/core';
import type { Principal } from './auth/principal.ts';

/** Logs refusals of requests over a limit: at most one a minute per token, so a flood does not fill the activity log. */
export class RefusalLog {
  readonly #activity: Pick<Activity, 'record'>;
  readonly #now: () => number;
  readonly #told = new Map<string, number>();

  /** The clock must not go back. Otherwise the next refusals would not be logged. */
  constructor(activity: Pick<Activity, 'record'>, now: () => number = () => performance.now()) {
    this.#activity = activity;
    this.#now = now;
  }

  limited({ token }: Principal, reason: string): void {
    const now = this.#now();
    const told = this.#told.get(token.id);
    if (told !== undefined && now - told < minute) return;
    this.#told.set(token.id, now);
    this.#activity.record({
      action: 'rate limit',
      tokenName: token.name,
      outcome: 'denied',
      detail: reason,
    });
  }
}

const minute = 60_000;
