import { ListFilter, Plus, Search } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Button } from '../shared/button.tsx';
import { Segments } from '../shared/segments.tsx';
import { Select } from '../shared/select.tsx';
import { TextInput } from '../shared/text-field.tsx';
import { Tooltip } from '../shared/tooltip.tsx';
import { maxColumns, rowChoices } from './comparison.ts';
import type { LabState } from './lab-state.ts';
import styles from './search-lab.module.css';

/** One line: the query, the filters, how many rows, and what is compared. */
export function LabBar(props: {
  state: LabState;
  filterCount: number;
  isFiltering: boolean;
  onFilter(): void;
  onChange(patch: Partial<LabState>): void;
  onAddColumn(): void;
  query: RefObject<HTMLInputElement | null>;
  /** The saved comparisons. */
  children: ReactNode;
}) {
  const { state, onChange, filterCount } = props;
  const isFull = state.columns.length >= maxColumns;
  return (
    <search className={styles.bar}>
      <div className={styles.box}>
        <Search size={13} aria-hidden className={styles.boxIcon} />
        <TextInput
          ref={props.query}
          size="small"
          className={styles.input}
          aria-label="Query to compare"
          placeholder="One query for all columns"
          value={state.text}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
      </div>
      <Button
        size="small"
        variant="quiet"
        icon={<ListFilter size={14} aria-hidden />}
        aria-expanded={props.isFiltering}
        onClick={props.onFilter}
      >
        {filterCount > 0 ? `Filters (${filterCount})` : 'Filter'}
      </Button>
      <Select
        size="small"
        className={styles.choice}
        aria-label="Rows of each column"
        value={state.k}
        options={rowChoices.map((value) => ({ value, label: `${value} rows` }))}
        onValueChange={(k) => onChange({ k })}
      />
      <span className={styles.gap} />
      {state.shows === 'one' && (
        <span className={styles.legend}>
          <span>
            <i /> keyword
          </span>
          <span>
            <i className={styles.vectorMark} /> vector
          </span>
        </span>
      )}
      <Segments
        label="What is compared"
        value={state.shows}
        options={[
          { value: 'one', label: 'One query' },
          { value: 'set', label: 'Query set' },
        ]}
        onValueChange={(shows) => onChange({ shows })}
      />
      <Tooltip text={isFull ? `${maxColumns} columns at most` : 'Add a column'}>
        <Button
          size="small"
          variant="quiet"
          icon={<Plus size={14} aria-hidden />}
          disabled={isFull}
          focusableWhenDisabled
          onClick={props.onAddColumn}
          aria-label="Add a column"
        >
          <span className={styles.wideOnly}>Column</span>
        </Button>
      </Tooltip>
      {props.children}
    </search>
  );
}
