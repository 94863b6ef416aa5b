import type { Capability, Filter, Match, RowKey, Sort } from '@trestle/driver-kit';
import type { OffFilter } from '../panels/filter-bar/index.ts';
import type { SearchDraft, TableSearch } from '../panels/search-bar/index.ts';
import type { LabState } from '../panels/search-lab/lab-state.ts';

/** The views of a table: rows, structure, vector map, searches side by side, or duplicates and outliers. */
export type TableShows = 'rows' | 'structure' | 'map' | 'compare' | 'neighbours';

export interface TableTabProps {
  connectionId: string;
  table: string;
  /** The connection's Safe Mode: `confirm` asks before each save, `readOnly` allows no edits. */
  safeMode: 'off' | 'confirm' | 'readOnly';
  /** The capabilities of the open session. Undefined while they are unknown. */
  capabilities?: Capability[];
  /** The page size of the settings. A tab may use another size. */
  pageSize: number;
  /** Whether the tab is in front. Only then does it handle shortcuts. */
  active?: boolean;
  /** Shows a row of any table, also of this one. */
  onOpenRow?(table: string, key: RowKey, partition: string | undefined): void;
  /** The state with which the tab opens. Later values are ignored. */
  persisted?: PersistedTable;
  onPersist?(value: PersistedTable): void;
}

/** The stored state of a tab: plain JSON. */
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
  /** From an earlier version. Widths are now stored for the table. */
  widths?: Record<string, number>;
  scroll?: { top: number; left: number };
  lab?: LabState | null;
}
