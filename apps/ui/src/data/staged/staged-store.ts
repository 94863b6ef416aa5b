import {
  applyCommand,
  type Command,
  countStaged,
  isEmpty,
  noEdits,
  type StagedEdits,
  stagedRows,
  unpackEdits,
  type WindowCommand,
} from '@trestle/core/staged-edits';
import { create } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ApiError, api, type StagedNews, syncStaged, toApiError } from '../api/api.ts';
import { showError } from '../messages/toast.tsx';
import { noteStoring } from '../messages/unstored.ts';

interface TablePart {
  connectionId: string;
  table: string;
  partition?: string | undefined;
}

interface Pending {
  number: number;
  command: WindowCommand;
}

type Listener = (command: Command, before: StagedEdits) => void;

/** How many rows of each table (and partition) have staged edits. */
export const useStagedCounts = create<{ counts: Record<string, number> }>(() => ({ counts: {} }));

const retryAfterMs = 2000;
/** The name of this page. The app applies each command of a page once. */
const windowId = crypto.randomUUID();
const stores = new Map<string, StagedStore>();

export function stagedStore(connectionId: string, table: string, partition: string | undefined): StagedStore {
  const key = keyOf({ connectionId, table, partition });
  let store = stores.get(key);
  if (!store) {
    store = new StagedStore(key, { connectionId, table, ...(partition !== undefined && { partition }) });
    stores.set(key, store);
  }
  return store;
}

/** Counts the staged rows, and sends the last edits when the page closes. Returns a function that ends it. */
export function followStaged(): () => void {
  const flush = () => {
    for (const store of stores.values()) store.flushNow();
  };
  window.addEventListener('pagehide', flush);
  readCounts().catch(() => {});
  return () => window.removeEventListener('pagehide', flush);
}

/** Handles a change that the event stream reports. */
export function stagedChanged(event: TablePart & { revision: number; count: number }): void {
  const key = keyOf(event);
  const store = stores.get(key);
  if (store) store.heard(event.revision);
  else count(key, event.count);
}

/** Asks for all changes, because this window may have missed events. */
export async function stagedMissed(): Promise<void> {
  for (const store of stores.values()) store.refresh();
  await readCounts();
}

async function readCounts(): Promise<void> {
  const all = await api.records.staged.query();
  const unopened = all.map((one) => [keyOf(one), one.count] as const).filter(([key]) => !stores.has(key));
  const opened = Object.entries(useStagedCounts.getState().counts).filter(([key]) => stores.has(key));
  useStagedCounts.setState({ counts: Object.fromEntries([...unopened, ...opened]) });
}

/** Discards the edits of a table in all its partitions. */
export function discardStaged(connectionId: string, table: string): void {
  // Includes tables without staged rows: they may have undone steps, which a redo would restore.
  for (const key of keysOf(connectionId, table, [
    ...stores.keys(),
    ...Object.keys(useStagedCounts.getState().counts),
  ])) {
    const [, , partition] = JSON.parse(key) as [string, string, string | null];
    stagedStore(connectionId, table, partition ?? undefined).change({ kind: 'clear' });
  }
}

export function stagedIn(counts: Record<string, number>, connectionId: string, table: string): number {
  return keysOf(connectionId, table, Object.keys(counts)).reduce((sum, key) => sum + (counts[key] ?? 0), 0);
}

/**
 * This window's copy of the staged edits of one table (and partition). The app owns the edits. A command of this
 * window shows at once, and stays pending until the app confirms it. Commands of other windows come before the pending
 * ones.
 */
export class StagedStore {
  /** With the pending commands. */
  readonly store: StoreApi<{ edits: StagedEdits }> = createStore(() => ({ edits: noEdits }));
  readonly #key: string;
  readonly #place: TablePart;
  readonly #listeners = new Set<Listener>();
  /** The edits at `#revision`, as the app has them. */
  #confirmed: StagedEdits = noEdits;
  #revision: number | null = null;
  #pending: Pending[] = [];
  #lastNumber = 0;
  /** How many commands the next request may have. Smaller after a request that the app did not accept. */
  #mostSent = Number.POSITIVE_INFINITY;
  #isStale = true;
  /** The newest revision that an event named since the last request. */
  #heard = 0;
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(key: string, place: TablePart) {
    this.#key = key;
    this.#place = place;
    this.refresh();
  }

  get = (): StagedEdits => this.store.getState().edits;

  change = (command: WindowCommand): void => {
    const before = this.get();
    const after = applyCommand(before, command);
    // The app may have undone steps that this window has not read yet.
    if (after === before && !(command.kind === 'clear' && this.#revision === null)) return;
    this.#pending.push({ number: ++this.#lastNumber, command });
    this.#show(after);
    void this.#once().catch(() => {});
  };

  /** The listener receives each command that the app confirms, and the edits before it. */
  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  heard(revision: number): void {
    this.#heard = Math.max(this.#heard, revision);
    // The event of our own command may arrive before the answer to it.
    if (!this.#running && this.#heard > (this.#revision ?? 0)) this.refresh();
  }

  refresh(): void {
    this.#isStale = true;
    void this.#once().catch(() => {});
  }

  /** Resolves when the app has every command of this window, and this window has read every change. */
  async flush(): Promise<void> {
    this.#isStale = true;
    do await this.#once();
    while (this.#isDue);
  }

  /**
   * Runs `work` when the app has every command. Sends no further command until `work` ends: an edit that the user makes
   * meanwhile must not change what a save sends.
   */
  async whileStored<T>(work: () => Promise<T>): Promise<T> {
    await this.flush();
    while (this.#running || this.#isDue) await this.#once();
    const working = work();
    this.#running = working.then(
      () => {},
      () => {},
    );
    try {
      return await working;
    } finally {
      this.#running = null;
      this.refresh();
    }
  }

  /** The app ignores commands that it has applied, so a running request does not matter. */
  flushNow(): void {
    if (this.#pending.length > 0) void this.#send(this.#pending).catch(() => {});
  }

  get #isDue(): boolean {
    return this.#isStale || this.#pending.length > 0 || this.#heard > (this.#revision ?? 0);
  }

  async #once(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {});
    if (!this.#isDue) return;
    clearTimeout(this.#timer);
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isDue) {
      // Cleared before the request: `refresh` and `heard` set them again, since the answer may be too old.
      this.#isStale = false;
      this.#heard = 0;
      const sent = this.#pending.slice(0, this.#mostSent);
      try {
        this.#take(await noteStoring(this.#key, () => this.#send(sent)));
        this.#mostSent = Number.POSITIVE_INFINITY;
      } catch (thrown) {
        const error = toApiError(thrown);
        this.#isStale = true;
        if (isRefusal(error) && sent.length > 1) {
          this.#mostSent = Math.floor(sent.length / 2);
          continue;
        }
        if (isRefusal(error)) this.#refused(sent, error);
        this.#timer = setTimeout(() => void this.#once().catch(() => {}), retryAfterMs);
        throw error;
      }
    }
  }

  #send(pending: Pending[]): Promise<StagedNews> {
    const { connectionId, ...place } = this.#place;
    return syncStaged(connectionId, {
      ...place,
      since: this.#revision,
      window: windowId,
      first: pending[0]?.number ?? this.#lastNumber + 1,
      commands: pending.map(({ command }) => command),
    });
  }

  #take(news: StagedNews): void {
    const shown = this.get();
    const before = this.#pending;
    const isOwn = 'commands' in news && news.commands.every((one) => 'own' in one);
    if ('whole' in news) this.#confirmed = unpackEdits(news.whole) ?? noEdits;
    else {
      for (const one of news.commands) {
        const command = 'own' in one ? this.#ownCommand(one.own) : one.command;
        if (!command) {
          this.#readWhole();
          return;
        }
        const edits = this.#confirmed;
        this.#confirmed = applyCommand(edits, command);
        for (const listener of this.#listeners) listener(command, edits);
      }
    }
    this.#revision = news.revision;
    this.#pending = before.filter(({ number }) => number > news.applied);
    // The usual answer confirms what is shown already.
    if (!isOwn || news.commands.length !== before.length - this.#pending.length) this.#showAll();
    else if (this.#pending.length === 0) this.#confirmed = shown;
  }

  #ownCommand(number: number): WindowCommand | undefined {
    return this.#pending.find((one) => one.number === number)?.command;
  }

  #readWhole(): void {
    this.#revision = null;
    this.#isStale = true;
  }

  /** A command that the app does not accept would be sent again for ever. */
  #refused(sent: Pending[], error: ApiError): void {
    this.#mostSent = Number.POSITIVE_INFINITY;
    this.#pending = this.#pending.filter((one) => !sent.includes(one));
    this.#readWhole();
    this.#showAll();
    showError(`An edit of ${this.#place.table} was not kept`, error);
  }

  #showAll(): void {
    this.#show(this.#pending.reduce((edits, { command }) => applyCommand(edits, command), this.#confirmed));
  }

  #show(edits: StagedEdits): void {
    if (edits === this.get()) return;
    this.store.setState({ edits });
    count(this.#key, isEmpty(edits) ? 0 : countStaged(stagedRows(edits)).total);
  }
}

function isRefusal({ code }: ApiError): boolean {
  return code === 'invalid_argument';
}

function keyOf({ connectionId, table, partition }: TablePart): string {
  return JSON.stringify([connectionId, table, partition ?? null]);
}

function keysOf(connectionId: string, table: string, keys: Iterable<string>): string[] {
  const start = `${JSON.stringify([connectionId, table]).slice(0, -1)},`;
  return [...new Set(keys)].filter((key) => key.startsWith(start));
}

function count(key: string, rows: number): void {
  useStagedCounts.setState(({ counts }) => {
    if ((counts[key] ?? 0) === rows) return {};
    const { [key]: _, ...others } = counts;
    return { counts: rows > 0 ? { ...others, [key]: rows } : others };
  });
}
