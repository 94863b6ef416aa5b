import { PanelRight, X } from 'lucide-react';
import { Button } from '../shared/button.tsx';
import { classNames } from '../shared/class-names.ts';
import { counted } from '../shared/counted.ts';
import { IconButton } from '../shared/icon-button.tsx';
import type { LabRow } from './column-rows.ts';
import { columnName, type LabColumn } from './comparison.ts';
import { valueText } from './result-row.tsx';
import styles from './search-lab.module.css';
import type { ColumnResults } from './use-lab-column.ts';
import { reasonWords, unmatchedWords } from './why-words.ts';

/** Why the chosen row has its rank in each column, in words. */
export function WhyPanel(props: {
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
              <Reason {...{ results, at, row: here }} text={props.text} />
            ) : (
              <p>This column does not have the row.</p>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

function Reason(props: { results: ColumnResults; at: number; row: LabRow; text: string }) {
  const { results, at, row } = props;
  const { terms, keyword, vector } = row.explanation ?? {};
  const most = Math.max(1, ...(terms ?? []).map(({ count }) => count));
  const missing = terms ? unmatchedWords(props.text, terms) : [];
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
          {terms.map(({ term, count, length }) => (
            <TermLine key={term} {...{ term, count, length, share: count / most }} />
          ))}
        </dl>
      )}
      {missing.length > 0 && <p>No match for {missing.map((word) => `“${word}”`).join(', ')}.</p>}
      <p>{reasonWords(results, at, valueText)}</p>
    </>
  );
}

function TermLine(props: { term: string; count: number; length: number | undefined; share: number }) {
  const { count, length } = props;
  return (
    <>
      <dt>{props.term}</dt>
      <dd>
        <span className={styles.track} aria-hidden>
          <span className={styles.byWords} style={{ '--length': props.share }} />
        </span>
      </dd>
      <dd className={styles.times}>
        ×{count}
        {length !== undefined && ` in ${counted(length, 'word')}`}
      </dd>
    </>
  );
}
