import { Segments } from '../../controls/buttons/segments.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { type BarPlaces, InBar } from '../../controls/layout/in-bar.tsx';
import { shortCount } from '../../controls/text/short-count.ts';
import styles from './neighbours.module.css';

export type Part = 'pairs' | 'far' | 'without';

/** In the bar of the table: the kind of rows to find, and the vector to compare by. */
export function NeighboursBar(props: {
  bar: BarPlaces;
  part: Part;
  counts: { pairs: number | undefined; without: number | undefined };
  vectors: string[];
  vector: string;
  onPart(part: Part): void;
  onVector(column: string): void;
}) {
  const { bar, counts } = props;
  const counted = (label: string, count: number | undefined) =>
    count === undefined ? label : `${label} ${shortCount(count)}`;
  return (
    <>
      <InBar place={bar.lead}>
        <Segments
          label="Which rows"
          value={props.part}
          options={[
            { value: 'pairs', label: counted('Near duplicates', counts.pairs) },
            { value: 'far', label: 'Far from all' },
            { value: 'without', label: counted('No vector', counts.without) },
          ]}
          onValueChange={props.onPart}
        />
      </InBar>
      {props.vectors.length > 1 && (
        <InBar place={bar.tail}>
          <Select
            size="small"
            aria-label="Vector"
            className={styles.vector}
            value={props.vector}
            options={props.vectors.map((name) => ({ value: name, label: name }))}
            onValueChange={props.onVector}
          />
        </InBar>
      )}
    </>
  );
}
