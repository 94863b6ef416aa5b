import type {
  CountRequest,
  RowKey,
  SearchRequest,
  SearchSupport,
  TableDescription,
} from '@trestle/driver-kit';
import { type RefObject, useState } from 'react';
import type { BarPlaces } from '../../controls/layout/in-bar.tsx';
import { RequestCodeDialog } from '../request-code/index.ts';
import { type LabColumn, maxColumns, newColumn, newComparison, nextMode } from './comparison.ts';
import { ComparisonsMenu } from './comparisons-menu.tsx';
import { judgedQuery, type Mark, withMark } from './judging/query-set.ts';
import { QuerySetView } from './judging/query-set-view.tsx';
import { useQuerySets } from './judging/use-query-sets.ts';
import { LabBar } from './lab-bar.tsx';
import { LabColumns } from './lab-columns.tsx';
import type { LabState } from './lab-state.ts';
import { useSavedComparisons } from './saved-comparisons.ts';
import styles from './search-lab.module.css';

/** Compares several searches side by side, with one query or with a query set. */
export default function SearchLab(props: {
  connectionId: string;
  description: TableDescription;
  support: SearchSupport;
  /** The tab's table, partition and filters. */
  within: CountRequest;
  /** The tab's stored state; null at first. */
  state: LabState | null;
  canShowCode: boolean;
  /** The input of the query. */
  query: RefObject<HTMLInputElement | null>;
  bar: BarPlaces;
  onState(state: LabState): void;
  onOpenRow: ((key: RowKey) => void) | undefined;
}) {
  const { connectionId, description, support, within } = props;
  const [first] = useState((): LabState => ({ ...newComparison(support), shows: 'one', setId: null }));
  const state = props.state ?? first;
  const change = (patch: Partial<LabState>) => props.onState({ ...state, ...patch });
  const saved = useSavedComparisons(connectionId, description.name);
  const sets = useQuerySets(connectionId, description.name);
  const set = sets.sets.find(({ id }) => id === state.setId) ?? sets.sets[0];
  const [code, setCode] = useState<{ name: string; request: SearchRequest } | null>(null);
  const onColumn = (id: string, patch: Partial<LabColumn>) =>
    change({ columns: state.columns.map((column) => (column.id === id ? { ...column, ...patch } : column)) });
  const onMark = (key: string, mark: Mark | null) => {
    const id = set?.id ?? crypto.randomUUID();
    sets.write(id, withMark(set ?? { name: 'My queries', queries: [] }, state.text, key, mark));
    if (set?.id !== state.setId) change({ setId: id });
  };
  const { text, k, columns, savedId } = state;
  return (
    <div className={styles.lab}>
      <LabBar
        state={state}
        query={props.query}
        bar={props.bar}
        isFiltered={within.filters.length > 0}
        onChange={change}
        onAddColumn={() =>
          columns.length < maxColumns &&
          change({ columns: [...columns, newColumn(nextMode(columns, support))] })
        }
      >
        <ComparisonsMenu
          saved={saved}
          comparison={{ text, k, columns, ...(savedId !== undefined && { savedId }) }}
          onOpen={(comparison) => change({ ...comparison, shows: 'one' })}
          onSavedId={(id) => change({ savedId: id })}
        />
      </LabBar>
      {state.shows === 'one' ? (
        <LabColumns
          {...{ connectionId, description, support, within, text, k, columns, onColumn }}
          // A mark belongs to the text of a query. Without a text, a search by a vector or a row still finds rows, but
          // they cannot be marked.
          onMark={text.trim() === '' ? undefined : onMark}
          judged={judgedQuery(set, text)}
          onRemove={(id) => change({ columns: columns.filter((column) => column.id !== id) })}
          onShowCode={props.canShowCode ? (name, request) => setCode({ name, request }) : undefined}
          onOpenRow={props.onOpenRow}
        />
      ) : (
        <QuerySetView
          {...{ connectionId, description, support, within, columns, k, sets, set }}
          onSet={(setId) => change({ setId })}
          onQuery={(query) => change({ text: query, shows: 'one' })}
        />
      )}
      <RequestCodeDialog
        connectionId={connectionId}
        shown={code && { kind: 'search', request: code.request }}
        name={code?.name ?? ''}
        onClose={() => setCode(null)}
      />
    </div>
  );
}
