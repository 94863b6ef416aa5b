import type { LogQueue } from '../log-queue/log-queue.ts';
import type { Activity, ActivityCheck, ActivityEntry, ActivityFilter, NewActivity } from '../types.ts';
import type { ActivityChain } from './activity-chain.ts';
import type { ActivityRows } from './activity-rows.ts';
import { csvHead, csvLine } from './csv.ts';

/** Calls and sign-ins of clients, and acts of administration. The log queue writes them, and the chain seals them. */
export class ActivityLog implements Activity {
  readonly #parts: { rows: ActivityRows; chain: ActivityChain; queue: LogQueue };

  constructor(parts: { rows: ActivityRows; chain: ActivityChain; queue: LogQueue }) {
    this.#parts = parts;
  }

  record(activity: NewActivity): void {
    this.#parts.queue.write({ activity });
  }

  recordLater(activity: NewActivity): void {
    this.#parts.queue.writeSoon({ activity });
  }

  problem(): string | null {
    return this.#parts.queue.problem;
  }

  list(query: ActivityFilter & { limit: number; before?: number }): ActivityEntry[] {
    this.#parts.queue.flush();
    return this.#parts.rows.list(query);
  }

  *exportCsv(filter: ActivityFilter = {}): Generator<string> {
    yield csvHead;
    for (let before: number | undefined; ; ) {
      const page = this.list({ ...filter, limit: 500, ...(before !== undefined && { before }) });
      if (page.length > 0) yield page.map(csvLine).join('');
      if (page.length < 500) return;
      before = page.at(-1)?.id;
    }
  }

  verify(): Promise<ActivityCheck> {
    this.#parts.queue.flush();
    return this.#parts.chain.verify();
  }
}
