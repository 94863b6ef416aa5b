import { useQuery } from '@tanstack/react-query';
import { cellAt, cellToText, defaultAlpha, type Page } from '@trestle/driver-kit';
import { ChevronRight, Layers } from 'lucide-react';
import { api, data } from '../../data/api/api.ts';
import { useStatus } from '../../data/queries/queries.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { barLengthsOf } from '../../data/rows/measure.ts';
import { titleColumn } from '../../data/rows/row-title.ts';
import { openTableWith } from '../../table-tab/index.ts';
import styles from './try-search.module.css';

interface SampleSearch {
  connectionId: string;
  table: string;
  text: string;
  targetVector?: string;
}

/** Sample searches to click: a quick way to see what Trestle does. */
export function TrySearches() {
  const searches = useQuery({
    queryKey: queryKeys.sampleSearches,
    queryFn: ({ signal }) => api.samples.searches.query(undefined, { signal }),
  }).data;
  if (!searches || searches.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="try-a-search">
      <h2 id="try-a-search">
        Try a search <small>in the sample that runs on this machine</small>
      </h2>
      <ul className={styles.cards}>
        {searches.map((search) => (
          <li key={search.text}>
            <SearchCard search={search} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SearchCard({ search }: { search: SampleSearch }) {
  const { connectionId, table, text, targetVector } = search;
  const best = useBestRows(search);
  const open = () => {
    const asked = { mode: 'near_text' as const, text, ...(targetVector && { targetVector }) };
    const searchDraft = { ...asked, vector: '', alpha: defaultAlpha, targetVector: targetVector ?? null };
    openTableWith(connectionId, table, { search: asked, searchDraft });
  };
  return (
    <button type="button" className={styles.card} onClick={open}>
      <span className={styles.place}>
        <Layers size={13} aria-hidden />
        {table}
        <span className={styles.go}>
          Search <ChevronRight size={12} aria-hidden />
        </span>
      </span>
      <span className={styles.text}>{text}</span>
      {best && (
        <ol className={styles.best}>
          {best.map(({ rank, title, length }) => (
            <li key={rank}>
              <span>{title}</span>
              <span className={styles.bar} style={{ '--share': `${Math.round(length * 100)}%` }} />
            </li>
          ))}
        </ol>
      )}
    </button>
  );
}

/** The three nearest rows, once the sample is connected. This hook does not connect it. */
function useBestRows({ connectionId, ...search }: SampleSearch) {
  const { state } = useStatus(connectionId);
  return useQuery({
    queryKey: queryKeys.rows(connectionId, search.table, 'best', search),
    enabled: state === 'connected',
    queryFn: async ({ signal }) => {
      const request = {
        ...search,
        mode: 'near_text' as const,
        filters: [],
        match: 'all' as const,
        limit: 3,
      };
      return titlesOf(await data('search', connectionId, request, signal));
    },
  }).data;
}

function titlesOf({ rows }: Page): { rank: number; title: string; length: number }[] {
  const title = titleColumn(rows.columns, []);
  const at = title ? rows.columns.indexOf(title) : -1;
  const distance = rows.columns.findIndex(({ isMeasure }) => isMeasure);
  if (at < 0) return [];
  const lengthOf = barLengthsOf(rows, distance);
  return Array.from({ length: rows.rowCount }, (_, row) => {
    const value = distance < 0 ? null : Number(cellAt(rows, distance, row));
    return { rank: row + 1, title: cellToText(cellAt(rows, at, row)), length: lengthOf(value) };
  });
}
