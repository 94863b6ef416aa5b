import { splitTab, type Tab, tabsOf, takeTab, type WorkspaceState } from '../data/window/workspace-state.ts';
import { newId } from '../data/window/workspace-store.ts';
import { records } from '../shared/records/record-hub.ts';
import type { RecordOwner, SharedRecord } from '../shared/records/shared-record.ts';
import { besideOthers, kindOf, mergeTab } from './tab-kinds.ts';
import { storedTab, tabFrom, tabKey } from './workspace-records.ts';

export interface TabSource {
  get(): WorkspaceState;
  /** Applies a change of another window to the state. */
  take(step: (state: WorkspaceState) => WorkspaceState): void;
}

/** One tab in the records that all windows share. */
export class TabRecord implements RecordOwner {
  readonly connectionId: string;
  readonly id: string;
  readonly record: SharedRecord;
  readonly #source: TabSource;
  /** The tab as it was last stored; null if it is not stored. Differences from it were made in this window. */
  #base: Tab | null;
  #sent: Tab | null = null;

  constructor(source: TabSource, connectionId: string, id: string, base: Tab | null) {
    this.#source = source;
    this.connectionId = connectionId;
    this.id = id;
    this.#base = base;
    this.record = records.own(tabKey(connectionId, id), this, connectionId);
  }

  /** The tab in this window; null if this window does not have it any more. */
  get mine(): Tab | null {
    const { list, closed } = tabsOf(this.#source.get(), this.connectionId);
    return [...list, ...closed].find(({ id }) => id === this.id) ?? null;
  }

  /** Whether this window changed the tab since it was stored. */
  get isChanged(): boolean {
    return this.mine !== this.#base;
  }

  value(): unknown {
    this.#sent = this.mine;
    return this.#sent && storedTab(this.#sent);
  }

  onStored(): void {
    this.#base = this.#sent;
    if (this.#sent === null && this.mine === null) records.disown(this.record.key);
  }

  onTheirs(value: unknown): boolean {
    const theirs = tabFrom(this.record.key, value);
    const { mine } = this;
    const base = this.#base;
    this.#base = theirs;
    if (!theirs) return this.#onDeleted(base, mine);
    // Deleted here and changed in the other window: the tab is kept.
    if (!mine) return this.#show(theirs, theirs);
    const { tab, apart } = mergeTab(base, mine, theirs);
    if (apart === undefined) return this.#show(tab, theirs);
    const others = tabsOf(this.#source.get(), this.connectionId).list.filter(({ id }) => id !== this.id);
    const own = besideOthers({ ...apart, id: newId(), closed: undefined }, [...others, tab]);
    this.#source.take((state) => splitTab(state, this.connectionId, tab, own));
    this.#base = this.mine;
    kindOf(own).onSplit?.(own);
    return false;
  }

  #onDeleted(base: Tab | null, mine: Tab | null): boolean {
    if (mine && kindOf(mine).hasOwnChanges?.(base, mine)) return true;
    this.#source.take((state) => takeTab(state, this.connectionId, this.id, null));
    records.disown(this.record.key);
    return false;
  }

  #show(tab: Tab, theirs: Tab): boolean {
    this.#source.take((state) => takeTab(state, this.connectionId, this.id, tab));
    const isTheirs = JSON.stringify(storedTab(tab)) === JSON.stringify(storedTab(theirs));
    if (isTheirs) this.#base = this.mine;
    return !isTheirs;
  }
}
