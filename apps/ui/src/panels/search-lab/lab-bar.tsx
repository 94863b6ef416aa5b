import { FileSearch, Files, Plus, Search } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { Segments } from '../../controls/buttons/segments.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { TextInput } from '../../controls/fields/text-field.tsx';
import { type BarPlaces, InBar } from '../../controls/layout/in-bar.tsx';
import { Tooltip } from '../../controls/popups/tooltip.tsx';
import { maxColumns, rowChoices } from './comparison.ts';
import type { LabState } from './lab-state.ts';
import styles from './search-lab.module.css';

/**
 * The controls of Compare in the bar of the table: the query before the filters, the other controls after them.
 */
export function LabBar(props: {
  bar: BarPlaces;
  /** The bar has filters, which need the space of the legend. */
  isFiltered: boolean;
  state: LabState;
  onChange(patch: Partial<LabState>): void;
  onAddColumn(): void;
  query: RefObject<HTMLInputElement | null>;
  /** The menu of the saved comparisons. */
  children: ReactNode;
}) {
  const { bar, state, onChange } = props;
  const isFull = state.columns.length >= maxColumns;
  return (
    <>
      <InBar place={bar.lead}>
        <search className={styles.box}>
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
        </search>
      </InBar>
      <InBar place={bar.tail}>
        {state.shows === 'one' && !props.isFiltered && (
          <span className={styles.legend}>
            <span>
              <i /> keyword
            </span>
            <span>
              <i className={styles.vectorMark} /> vector
            </span>
          </span>
        )}
        <Select
          size="small"
          className={styles.choice}
          aria-label="Rows of each column"
          value={state.k}
          options={rowChoices.map((value) => ({ value, label: `${value} rows` }))}
          onValueChange={(k) => onChange({ k })}
        />
        <Segments
          label="What is compared"
          compact
          value={state.shows}
          options={[
            { value: 'one', label: 'One query', icon: <FileSearch size={13} aria-hidden /> },
            { value: 'set', label: 'Query set', icon: <Files size={13} aria-hidden /> },
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
      </InBar>
    </>
  );
}
