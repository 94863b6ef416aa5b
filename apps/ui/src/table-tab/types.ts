import type { Capability, Filter, Match, RowKey, Sort } from '@trestle/driver-kit';
import type { OffFilter } from '../filter-bar/index.ts';
import type { SearchDraft, TableSearch } from '../search-bar/index.ts';
import type { LabState } from '../search-lab/lab-state.ts';

/** The views of a table: its rows, its structure, the map of its vectors, searches side by side, or rows by nearness. */
export type TableShows = 'rows' | 'structure' | 'map' | 'compare' | 'neighbours';

export interface TableTabProps {
  connectionId: string;
  table: string;
  /** Of the connection: `confirm` asks before each save, `readOnly` takes no edits. */
  safeMode: 'off' | 'confirm' | 'readOnly';
  /** What the open session can do; absent while it is not known. */
  capabilities?: Capability[];
  /** The setting; a tab may choose another. */
  pageSize: number;
  /** Whether the tab is the one in front: only then does it take shortcuts. */
  active?: boolean;
  /** Shows a row of a table, which may be this one. */
  onOpenRow?(table: string, key: RowKey, partition: string | undefined): void;
  /** What the tab left with `onPersist` before; read once, when the tab opens. */
  persisted?: PersistedTable;
  onPersist?(value: PersistedTable): void;
}

/** What a tab remembers: plain JSON. */
export interface PersistedTable {
  filters?: Filter[];
  filtersOff?: OffFilter[];
  match?: Match;
  sort?: Sort[];
  pageSize?: number;
  offset?: number;
  partition?: string;
  search?: TableSearch | null;
  searchDraft?: SearchDraft | null;
  inspectorOpen?: boolean;
  inspectorWidth?: number;
  shows?: TableShows;
  /** Of an earlier version: widths are kept for the table now. */
  widths?: Record<string, number>;
  scroll?: { top: number; left: number };
  lab?: LabState | null;
}
