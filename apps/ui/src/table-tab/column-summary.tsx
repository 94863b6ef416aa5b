import { useQueries, useQuery } from '@tanstack/react-query';
import type { ColumnDescription, Filter } from '@trestle/driver-kit';
import { Button } from '../controls/buttons/button.tsx';
import { Dialog } from '../controls/dialogs/dialog.tsx';
import { Spinner } from '../controls/loading/spinner.tsx';
import { Facts } from '../controls/marks/facts.tsx';
import { api, data, toApiError } from '../data/api/api.ts';
import { ErrorNote } from '../data/messages/error-note.tsx';
import { queryKeys } from '../data/queries/query-keys.ts';
import { CellValue } from '../panels/grid/index.ts';
import {
  type Bar,
  type ColumnFacts,
  factsRequest,
  mostValues,
  rangesOf,
  readFacts,
  type Summarised,
  valueBar,
  valueBars,
  valuesRequest,
} from './column-bars.ts';
import styles from './column-summary.module.css';

/** A column in short: its range, its share of NULL, and how often its values occur. A click on a bar filters by it. */
export function ColumnSummary({
  connectionId,
  column,
  of,
  isSearch,
  onFilter,
  onClose,
}: {
  connectionId: string;
  column: ColumnDescription;
  of: Summarised;
  /** The tab shows a search, whose best rows are not what is summarised. */
  isSearch: boolean;
  onFilter(filters: Filter[]): void;
  onClose(): void;
}) {
  const facts = useAggregate(connectionId, factsRequest(of, column));
  const values = useAggregate(connectionId, valuesRequest(of, column.name));
  const known = facts.data && readFacts(facts.data.rows, column.name);
  const ranges = known && values.data?.hasMore && of.match === 'all' ? rangesOf(column, known) : null;
  const counted = useRangeBars(connectionId, of, ranges ?? []);
  const isLoading = facts.isPending || values.isPending || counted.isPending;
  const { error } = values;
  const isRefused = error !== null && toApiError(error).code === 'unsupported';
  // A database may refuse a limit, for example a date before its first. The most frequent values remain.
  const inRanges = ranges !== null && !counted.isFailed;
  const bars = inRanges ? counted.bars : values.data ? valueBars(values.data.rows, column) : [];
  const matching = column.operators.find(({ operator }) => operator === 'equals')?.matching;
  const widens = of.match === 'any' && of.filters.length > 0;
  return (
    <Dialog
      open
      title={`Summary of ${column.name}`}
      description={[rowsText(of.filters.length, of.match), isSearch && 'The search is left out.']
        .filter(Boolean)
        .join(' ')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {known && <FactList facts={known} column={column} />}
      {isLoading && (
        <p className={styles.note}>
          <Spinner /> Counting values…
        </p>
      )}
      {isRefused && <p className={styles.note}>{toApiError(error).message}</p>}
      {error !== null && !isRefused && <ErrorNote error={error} title="The values were not counted" />}
      {!isLoading && error === null && (
        <>
          <Bars
            bars={[...bars, ...(known?.nulls ? [valueBar(column, null, known.nulls)] : [])]}
            of={known?.rows}
            column={column}
            onFilter={widens ? undefined : onFilter}
          />
          {values.data && !inRanges && values.data.hasMore && (
            <p className={styles.note}>More values exist; these {mostValues} are the most frequent.</p>
          )}
          {values.data?.note !== undefined && !known?.nulls && (
            <p className={styles.note}>{values.data.note}</p>
          )}
          {matching !== undefined && !inRanges && !widens && bars.length > 0 && (
            <p className={styles.note}>The filter of a bar {matching}.</p>
          )}
          {widens && <p className={styles.note}>The filters match any, so that a bar cannot narrow them.</p>}
        </>
      )}
    </Dialog>
  );
}

function useAggregate(connectionId: string, request: ReturnType<typeof factsRequest>) {
  return useQuery({
    queryKey: queryKeys.rows(connectionId, request.table, 'aggregate', request),
    queryFn: ({ signal }) => data('aggregate', connectionId, request, signal),
  });
}

function useRangeBars(connectionId: string, of: Summarised, ranges: Omit<Bar, 'rows'>[]) {
  const counts = useQueries({
    queries: ranges.map(({ filters }) => {
      const own = Array.isArray(filters) ? filters : [];
      const request = { ...of, filters: [...of.filters, ...own] };
      return {
        queryKey: queryKeys.rows(connectionId, of.table, 'count', request),
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          api.tables.count.query({ connectionId, request }, { signal }),
      };
    }),
  });
  return {
    isPending: counts.some(({ isPending }) => isPending),
    isFailed: counts.some(({ isError }) => isError),
    bars: ranges.map((range, at): Bar => ({ ...range, rows: counts[at]?.data ?? 0 })),
  };
}

function FactList({ facts, column }: { facts: ColumnFacts; column: ColumnDescription }) {
  const { rows, nulls, min, max, mean } = facts;
  return (
    <Facts>
      <dt>Rows</dt>
      <dd>{rows.toLocaleString('en')}</dd>
      {nulls !== undefined && (
        <>
          <dt>NULL</dt>
          <dd>{nulls === 0 ? 'none' : `${nulls.toLocaleString('en')} (${share(nulls, rows)})`}</dd>
        </>
      )}
      {min !== undefined && max !== undefined && (
        <>
          <dt>Range</dt>
          <dd>
            <CellValue cell={min} column={column} room={150} /> to{' '}
            <CellValue cell={max} column={column} room={150} />
          </dd>
        </>
      )}
      {typeof mean === 'number' && (
        <>
          <dt>Mean</dt>
          <dd>{rounded(mean)}</dd>
        </>
      )}
    </Facts>
  );
}

function Bars(props: {
  bars: Bar[];
  /** All rows, if they are known. */
  of: number | undefined;
  column: ColumnDescription;
  /** Undefined if a filter would not find the rows of a bar. */
  onFilter: ((filters: Filter[]) => void) | undefined;
}) {
  const { bars, of, column, onFilter } = props;
  if (bars.length === 0) return <p className={styles.note}>No rows, so no values.</p>;
  const most = Math.max(...bars.map(({ rows }) => rows), 1);
  return (
    <ul className={styles.bars} aria-label={`Values of ${column.name}`}>
      {bars.map(({ of: shown, filters, rows }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars keep their places
        <li key={at}>
          <button
            type="button"
            className={styles.bar}
            title={Array.isArray(filters) ? undefined : filters.refusal}
            disabled={!onFilter || !Array.isArray(filters) || rows === 0}
            onClick={() => Array.isArray(filters) && onFilter?.(filters)}
          >
            <span className={styles.label}>
              <BarLabel of={shown} column={column} />
            </span>
            <span className={styles.track} aria-hidden>
              <span className={styles.fill} style={{ width: `${(100 * rows) / most}%` }} />
            </span>
            <span className={styles.count}>
              {rows.toLocaleString('en')}
              {of !== undefined && <small>{share(rows, of)}</small>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function BarLabel({ of, column }: { of: Bar['of']; column: ColumnDescription }) {
  if ('value' in of) {
    if (typeof of.value === 'boolean') return String(of.value);
    return <CellValue cell={of.value} column={column} room={170} />;
  }
  if (typeof of.from === 'number' && typeof of.to === 'number') {
    return `${rounded(of.from)} to ${rounded(of.to)}`;
  }
  // A range of years needs no months.
  const isYears = [of.from, of.to].every((time) => String(time).slice(5, 7) === '01');
  const name = (time: string | number) => String(time).slice(0, isYears ? 4 : 7);
  return `from ${name(of.from)}, before ${name(of.to)}`;
}

function rounded(value: number): string {
  return Number(value.toPrecision(7)).toLocaleString('en', { maximumFractionDigits: 12 });
}

function share(part: number, of: number): string {
  if (of === 0) return '0%';
  const percent = (100 * part) / of;
  if (percent > 0 && percent < 0.1) return '< 0.1%';
  return `${percent.toLocaleString('en', { maximumFractionDigits: percent < 10 ? 1 : 0 })}%`;
}

function rowsText(filters: number, match: Summarised['match']): string {
  if (filters === 0) return 'All rows of the table.';
  if (filters === 1) return 'The rows that the filter keeps.';
  return `The rows that match ${match} of the ${filters} filters.`;
}
