import { useQueries } from '@tanstack/react-query';
import type { CountRequest } from '@trestle/driver-kit';
import { PanelRight, X } from 'lucide-react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import { api } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import { measureText } from '../../data/rows/measure.ts';
import type { LabRow } from './column-rows.ts';
import { columnName, type LabColumn } from './comparison.ts';
import styles from './search-lab.module.css';
import type { ColumnResults } from './use-lab-column.ts';
import {
  placesText,
  type RarityRequests,
  rarityRequests,
  rarityText,
  type WhyTerm,
  whyTerms,
} from './why-terms.ts';
import { reasonWords, unmatchedWords } from './why-words.ts';

/** Why the chosen row has its rank in each column, in words. How rare each word is, is counted when this opens. */
export function WhyPanel(props: {
  connectionId: string;
  within: CountRequest;
  rowKey: string;
  text: string;
  columns: { column: LabColumn; results: ColumnResults | undefined }[];
  onOpenRow?: ((row: LabRow) => void) | undefined;
  onClose(): void;
}) {
  const places = props.columns.map(({ column, results }) => {
    const at = results?.rows.findIndex(({ key }) => key === props.rowKey) ?? -1;
    return { column, results, at, row: results?.rows[at] };
  });
  const explanations = places.map((place) => place.row?.explanation);
  const rarity = useRarity(props.connectionId, rarityRequests(explanations, props.within));
  const row = places.find((place) => place.row)?.row;
  if (!row) return null;
  const ranks = places.map(({ at }) => (at < 0 ? '–' : at + 1)).join(' → ');
  return (
    <section className={styles.why} aria-label={`Why ${row.title} is found`}>
      <header className={styles.whyHead}>
        <h2>Why {row.title} is found</h2>
        <span>rank {ranks}</span>
        {props.onOpenRow && (
          <Button
            size="small"
            variant="quiet"
            icon={<PanelRight size={14} aria-hidden />}
            onClick={() => props.onOpenRow?.(row)}
          >
            Open row
          </Button>
        )}
        <IconButton size="small" label="Close the explanation" onClick={props.onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </header>
      <div className={styles.reasons} style={{ '--count': places.length }}>
        {places.map(({ column, results, at, row: here }) => (
          <div key={column.id} className={styles.reason}>
            <h3>{columnName(column)}</h3>
            {here && results ? (
              <Reason {...{ results, at, row: here, rarity }} text={props.text} />
            ) : (
              <p>This column does not have the row.</p>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

function Reason(props: { results: ColumnResults; at: number; row: LabRow; text: string; rarity: Rarity }) {
  const { results, at, row, rarity } = props;
  const { terms, unknown = [], keyword, vector } = row.explanation ?? {};
  const missing = terms && unknown.length === 0 ? unmatchedWords(props.text, terms) : [];
  return (
    <>
      {(keyword || vector) && (
        <span className={classNames(styles.track, styles.shares)} aria-hidden>
          <span className={styles.byWords} style={{ '--length': keyword?.share ?? 0 }} />
          <span className={styles.byMeaning} style={{ '--length': vector?.share ?? 0 }} />
        </span>
      )}
      {terms && terms.length > 0 && (
        <dl className={styles.terms}>
          {whyTerms(terms).map((term) => (
            <TermLine key={term.term} term={term} rarity={rarity} />
          ))}
        </dl>
      )}
      {unknown.length > 0 && <p>Words in {unknown.join(', ')}: not known.</p>}
      {missing.length > 0 && <p>No match for {missing.map((word) => `“${word}”`).join(', ')}.</p>}
      <p>{reasonWords(results, at, measureText)}</p>
    </>
  );
}

function TermLine({ term, rarity }: { term: WhyTerm; rarity: Rarity }) {
  const rows = rarity.rows.get(term.term);
  return (
    <div>
      <dt>{term.term}</dt>
      <dd>{placesText(term)}</dd>
      {rows !== undefined && <dd className={styles.rarity}>{rarityText(rows, rarity.all)}</dd>}
    </div>
  );
}

/** A count that failed, or that is not there yet, is missing. */
interface Rarity {
  /** How many rows have each word. */
  rows: Map<string, number>;
  /** How many rows the table has. */
  all: number | undefined;
}

function useRarity(connectionId: string, { words, all }: RarityRequests): Rarity {
  const requests = words.size > 0 ? [all, ...words.values()] : [];
  const [whole, ...counts] = useQueries({
    queries: requests.map((request: CountRequest) => ({
      queryKey: queryKeys.rows(connectionId, request.table, 'count', request),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.tables.count.query({ connectionId, request }, { signal }),
    })),
  });
  const rows = Array.from(words.keys(), (term, at) => [term, counts[at]?.data] as const);
  return {
    rows: new Map(rows.filter((entry): entry is [string, number] => entry[1] !== undefined)),
    all: whole?.data,
  };
}
