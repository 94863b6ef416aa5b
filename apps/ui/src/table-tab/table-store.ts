import type { Filter, Match, Sort } from '@trestle/driver-kit';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OffFilter } from '../panels/filter-bar/index.ts';
import type { SearchDraft, TableSearch } from '../panels/search-bar/index.ts';
import type { LabState } from '../panels/search-lab/lab-state.ts';
import type { PersistedTable, TableShows } from './types.ts';

/** The state of one tab: the rows that it requests, and how it shows them. */
export interface TableState {
  filters: Filter[];
  /** Filters that are switched off. */
  filtersOff: OffFilter[];
  match: Match;
  sort: Sort[];
  pageSize: number;
  offset: number;
  partition: string | undefined;
  /** Null if there is no search. */
  search: TableSearch | null;
  /** The content of the search box. Null: the default content. */
  searchDraft: SearchDraft | null;
  inspectorOpen: boolean;
  /** In pixels. */
  inspectorWidth: number;
  shows: TableShows;
  scroll: { top: number; left: number };
  /** The state of the search lab; null until the user changes it. */
  lab: LabState | null;
}

const usualInspector = 344;

export type TableStore = StoreApi<TableState>;

export function createTableStore(persisted: PersistedTable | undefined, pageSize: number): TableStore {
  const store = createStore<TableState>(() => ({
    filters: persisted?.filters ?? [],
    filtersOff: persisted?.filtersOff ?? [],
    match: persisted?.match ?? 'all',
    sort: persisted?.sort ?? [],
    pageSize: persisted?.pageSize ?? pageSize,
    offset: persisted?.offset ?? 0,
    partition: persisted?.partition,
    search: persisted?.search ?? null,
    searchDraft: persisted?.searchDraft ?? null,
    inspectorOpen: persisted?.inspectorOpen ?? false,
    inspectorWidth: persisted?.inspectorWidth ?? usualInspector,
    shows: persisted?.shows ?? 'rows',
    scroll: persisted?.scroll ?? { top: 0, left: 0 },
    lab: persisted?.lab ?? null,
  }));
  // A grid that is drawn later starts at the stored scroll position. If other rows are requested, it must start at the
  // top.
  store.subscribe((now, before) => {
    const isOther = requested.some((name) => now[name] !== before[name]);
    const isKept = now.scroll === before.scroll && now.scroll.top > 0;
    if (isOther && isKept) store.setState({ scroll: { ...now.scroll, top: 0 } });
  });
  return store;
}

const requested = ['partition', 'filters', 'match', 'sort', 'pageSize', 'offset', 'search'] as const;

/** Calls `persist` at each change of the state, and now if the state has changed since the store was created. */
export function persistChanges(store: TableStore, persist: (value: PersistedTable) => void): () => void {
  if (store.getState() !== store.getInitialState()) persist(persisted(store.getState()));
  return store.subscribe((state) => persist(persisted(state)));
}

/** The state as plain JSON. */
export function persisted({ partition, ...plain }: TableState): PersistedTable {
  // JSON drops undefined, and stored states are compared with current ones, so undefined members must be left
  // out.
  return partition === undefined ? plain : { ...plain, partition };
}
