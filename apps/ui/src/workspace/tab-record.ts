import {
  type QueryTab,
  splitQuery,
  type Tab,
  tabsOf,
  takeTab,
  type WorkspaceState,
} from '../data/window/workspace-state.ts';
import { records } from '../shared/records/record-hub.ts';
import type { RecordOwner, SharedRecord } from '../shared/records/shared-record.ts';
import { mergeTab } from './merge-tab.ts';
import { storedTab, tabFrom, tabKey } from './workspace-records.ts';

export interface TabSource {
  get(): WorkspaceState;
  /** Applies a change of another window to the state. */
  take(step: (state: WorkspaceState) => WorkspaceState): void;
  newId(): string;
  /** Two windows changed the same place of a query, and this window's text has moved to `tab`. */
  onSplit(tab: QueryTab): void;
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
    const own = { id: this.#source.newId(), text: apart };
    this.#source.take((state) => splitQuery(state, this.connectionId, tab as QueryTab, own));
    this.#base = this.mine;
    const split = tabsOf(this.#source.get(), this.connectionId).list.find(({ id }) => id === own.id);
    this.#source.onSplit(split as QueryTab);
    return false;
  }

  #onDeleted(base: Tab | null, mine: Tab | null): boolean {
    const isTyped = mine?.kind === 'query' && mine.text !== (base?.kind === 'query' ? base.text : '');
    if (isTyped) return true;
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
