import type { RowKey, TableDescription } from '@trestle/driver-kit';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { moveRovingFocus } from '../../controls/keys/roving-focus.ts';
import { useDelayed } from '../../controls/loading/use-delayed.ts';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import { useDescription } from '../../data/queries/table-queries.ts';
import { barLengths, measureText } from '../../data/rows/measure.ts';
import { DistanceBar } from '../neighbours/distance-bar.tsx';
import { similarRows, useSimilarRows } from '../neighbours/similar-rows.ts';
import { hasIndex, type VectorChoice, vectorChoices } from '../neighbours/vector-choice.ts';
import type { InspectedRow, InspectorPart } from './inspected-row.ts';
import styles from './row-inspector.module.css';

/** The delay before a search: a cursor that moves through the rows must not start a search at each of them. */
const restMs = 250;

/** The rows nearest to `row` by one of its vectors, with their distances. */
export function SimilarSection({ row, onOpenReference }: InspectorPart) {
  const description = useDescription(row.connectionId, row.table).data;
  const [column, setColumn] = useState<string>();
  // The id of the row that the user asked to compare. For another row, the user must ask again.
  const [wanted, setWanted] = useState<string | null>(null);
  const choices = description ? vectorChoices(description).filter(({ column }) => mayHave(row, column)) : [];
  const named = (name: string | undefined) => choices.find((choice) => choice.column === name);
  const vector = named(column) ?? named(row.mapVector) ?? choices[0];
  const { key } = row;
  if (!description || !vector || !key || row.state !== undefined) return null;
  const byIndex = hasIndex(description, true);
  return (
    <section className={styles.similar} aria-label="Similar rows">
      <header>
        <h3>Similar</h3>
        {choices.length > 1 && (
          <Select
            size="small"
            className={styles.similarVector}
            aria-label="Similar by"
            value={vector.column}
            options={choices.map((choice) => ({ value: choice.column, label: choice.column }))}
            onValueChange={setColumn}
          />
        )}
      </header>
      {!byIndex && wanted !== row.id && vector.column !== row.mapVector ? (
        <Button size="small" onClick={() => setWanted(row.id)}>
          Compare with every row
        </Button>
      ) : (
        <SimilarList
          key={`${row.id} ${vector.column}`}
          {...{ row, rowKey: key, description, vector, byIndex }}
          onOpen={(other) => onOpenReference({ table: row.table, key: other })}
        />
      )}
    </section>
  );
}

/** A vector that is still loading may exist. One that is null does not. */
function mayHave(row: InspectedRow, column: string): boolean {
  const property = row.properties.find(({ name }) => name === column);
  return property === undefined || property.cell !== null;
}

function SimilarList(props: {
  row: InspectedRow;
  rowKey: RowKey;
  description: TableDescription;
  vector: VectorChoice;
  byIndex: boolean;
  onOpen(key: RowKey): void;
}) {
  const { row, rowKey, description, vector, byIndex } = props;
  const isRested = useDelayed(true, restMs);
  const { connectionId, partition } = row;
  const found = useSimilarRows(
    isRested ? { connectionId, description, partition, key: rowKey, vector, byIndex } : undefined,
  );
  if (found.error) {
    return (
      <ErrorNote error={found.error}>
        <Button size="small" onClick={() => found.refetch()}>
          Retry
        </Button>
      </ErrorNote>
    );
  }
  if (!found.data) return <p className={styles.muted}>Looking for the {similarRows} nearest rows …</p>;
  if (found.data.length === 0) return <p className={styles.muted}>No other row was found</p>;
  const lengthOf = barLengths(
    found.data.map(({ distance }) => distance),
    true,
  );
  return (
    <ol aria-label="Nearest rows" onKeyDown={(event) => moveRovingFocus(event, 'vertical')}>
      {found.data.map((other, at) => (
        <li key={other.id}>
          <button
            type="button"
            data-roving
            tabIndex={at === 0 ? 0 : -1}
            title={`Open ${other.title}: distance ${other.distance}`}
            onClick={() => props.onOpen(other.key)}
          >
            <span>{other.title}</span>
            <DistanceBar length={lengthOf(other.distance)} />
            <span className={styles.distance}>{measureText(other.distance)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
