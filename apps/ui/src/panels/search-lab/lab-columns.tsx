import type {
  CountRequest,
  RowKey,
  SearchRequest,
  SearchSupport,
  TableDescription,
} from '@trestle/driver-kit';
import { Fragment, useRef, useState } from 'react';
import { ColumnHead } from './column-head.tsx';
import { columnLayout } from './column-layout.ts';
import { ColumnMetrics } from './column-metrics.tsx';
import { questionText, settingsText } from './compared-by.ts';
import { columnName, columnRequest, type LabColumn } from './comparison.ts';
import { type Metrics, metricsAt } from './judging/metrics.ts';
import { type JudgedQuery, type Mark, markOf } from './judging/query-set.ts';
import { bestOf } from './judging/run-set.ts';
import { LabColumnRows } from './lab-column.tsx';
import { RankLines } from './rank-lines.tsx';
import { onlyIn, overlap } from './ranks.ts';
import styles from './search-lab.module.css';
import { type LabColumnState, useLabColumn } from './use-lab-column.ts';
import { WhyPanel } from './why-panel.tsx';

export interface LabColumnsProps {
  connectionId: string;
  description: TableDescription;
  support: SearchSupport;
  within: CountRequest;
  text: string;
  k: number;
  columns: LabColumn[];
  judged: JudgedQuery | undefined;
  onColumn(id: string, patch: Partial<LabColumn>): void;
  onRemove(id: string): void;
  /** Undefined if there is no query to mark rows for. */
  onMark: ((key: string, mark: Mark | null) => void) | undefined;
  onShowCode: ((name: string, request: SearchRequest) => void) | undefined;
  onOpenRow: ((key: RowKey) => void) | undefined;
}

/** The columns with the lines between them, and why the chosen row was found. */
export function LabColumns(props: LabColumnsProps) {
  const { connectionId, description, columns, support, within, text, k } = props;
  const asked = columns.map((column) => columnRequest(column, { text, k, within, support }));
  const states = useLabColumns(connectionId, asked, description);
  const [chosen, setChosen] = useState<string | null>(null);
  const [lit, setLit] = useState<string | null>(null);
  const keys = states.map(({ results }) => results?.rows.map(({ key }) => key) ?? []);
  const kept = states.map(({ results }, at) => keys[at]?.slice(0, results?.kept) ?? []);
  const layouts = states.map(({ results }) => columnLayout(results));
  const only = onlyIn(keys.map((found, at) => (states[at]?.results ? found : null)));
  const right = props.judged?.right ?? [];
  const metrics = states.map(({ results }, at) => (results ? metricsAt(kept[at] ?? [], right, k) : null));
  const before = useBefore(
    columns.map((column, at) => ({
      id: column.id,
      settings: settingsText(column, support),
      metrics: metrics[at] ?? null,
      isSettled: states[at]?.isFetching === false,
    })),
    questionText({ text, k, within, right }),
  );
  const best = bestOf(metrics);
  const filterCount = within.filters.length;
  const between = (at: number) => ({ left: at - 1, right: at });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus
    <section className={styles.stage} aria-label="Comparison" tabIndex={0}>
      <div className={styles.columns} style={{ '--pairs': columns.length - 1 }} data-columns>
        {columns.map((column, at) => (
          <Fragment key={column.id}>
            {at > 0 && <Shared {...between(at)} keys={keys} k={k} />}
            <ColumnHead
              {...{ column, support, filterCount }}
              onChange={(patch) => props.onColumn(column.id, patch)}
              onShowCode={codeOf(props, column, asked[at])}
              onRemove={columns.length > 2 ? () => props.onRemove(column.id) : undefined}
            />
          </Fragment>
        ))}
        {columns.map((column, at) => (
          <Fragment key={column.id}>
            {at > 0 && (
              <RankLines
                left={{ keys: keys[at - 1] ?? [], layout: layouts[at - 1]! }}
                right={{ keys: keys[at] ?? [], layout: layouts[at]! }}
                chosen={chosen}
                lit={lit}
              />
            )}
            <LabColumnRows
              name={columnName(column)}
              state={states[at]!}
              onlyHere={only[at] ?? new Set()}
              chosen={chosen}
              lit={lit}
              markOf={(key) => markOf(props.judged, key)}
              onChoose={(key) => setChosen((now) => (now === key ? null : key))}
              onHover={setLit}
              onMark={props.onMark}
            />
          </Fragment>
        ))}
        {columns.map((column, at) => (
          <Fragment key={column.id}>
            {at > 0 && <div />}
            <ColumnMetrics
              name={columnName(column)}
              metrics={metrics[at] ?? null}
              before={before[at] ?? null}
              k={k}
              isBest={best === at}
            />
          </Fragment>
        ))}
      </div>
      {chosen !== null && (
        <WhyPanel
          {...{ connectionId, within }}
          rowKey={chosen}
          text={text}
          columns={columns.map((column, at) => ({ column, results: states[at]?.results }))}
          onOpenRow={props.onOpenRow && ((row) => props.onOpenRow?.(row.rowKey))}
          onClose={() => setChosen(null)}
        />
      )}
    </section>
  );
}

function Shared({ left, right, keys, k }: { left: number; right: number; keys: string[][]; k: number }) {
  const [a = [], b = []] = [keys[left], keys[right]];
  if (a.length === 0 || b.length === 0) return <div />;
  const { shared, of } = overlap(a, b, k);
  return (
    <p className={styles.shared}>
      <b>
        {shared} of {of}
      </b>
      shared
    </p>
  );
}

function codeOf(
  props: LabColumnsProps,
  column: LabColumn,
  asked: ReturnType<typeof columnRequest> | undefined,
): (() => void) | undefined {
  if (!props.onShowCode || !asked?.ok) return undefined;
  const { request } = asked;
  return () => props.onShowCode?.(columnName(column), request);
}

/** Every render must call the same number of hooks, so there is one hook for each possible column. */
function useLabColumns(
  connectionId: string,
  asked: ReturnType<typeof columnRequest>[],
  description: TableDescription,
): LabColumnState[] {
  const none = { ok: false, problem: '' } as const;
  const states = [
    useLabColumn(connectionId, asked[0] ?? none, description),
    useLabColumn(connectionId, asked[1] ?? none, description),
    useLabColumn(connectionId, asked[2] ?? none, description),
    useLabColumn(connectionId, asked[3] ?? none, description),
  ];
  return states.slice(0, asked.length);
}

interface Seen {
  query: string;
  settings: string;
  metrics: Metrics;
  before: Metrics | null;
}

/**
 * The metrics of each column before its last change of settings. Null if the column's settings have not changed
 * since the last change of `query`.
 */
function useBefore(
  columns: { id: string; settings: string; metrics: Metrics | null; isSettled: boolean }[],
  query: string,
): (Metrics | null)[] {
  const seen = useRef(new Map<string, Seen>());
  return columns.map(({ id, settings, metrics, isSettled }) => {
    const last = seen.current.get(id);
    if (!metrics || !isSettled) return last?.query === query ? last.before : null;
    if (last?.query !== query) {
      seen.current.set(id, { query, settings, metrics, before: null });
      return null;
    }
    if (last.settings !== settings) {
      seen.current.set(id, { query, settings, metrics, before: last.metrics });
      return last.metrics;
    }
    seen.current.set(id, { ...last, metrics });
    return last.before;
  });
}
