import { type Ref, useState } from 'react';
import { SearchField } from '../../controls/fields/search-field.tsx';
import { Select } from '../../controls/fields/select.tsx';
import { type BarPlaces, InBar } from '../../controls/layout/in-bar.tsx';
import styles from './vector-map.module.css';

/** In the bar of the table: the search before the filters; after them the vector and the colour column. */
export function MapBar(props: {
  bar: BarPlaces;
  searchField: Ref<HTMLInputElement>;
  /** Undefined if the map cannot be searched. */
  searchLabel: string | undefined;
  onSearch(text: string): void;
  vectors: string[];
  vector: string;
  onVector(name: string): void;
  /** Undefined if there is nothing to colour. */
  columns: string[] | undefined;
  colourBy: string;
  onColourBy(name: string): void;
}) {
  const [typed, setTyped] = useState('');
  return (
    <>
      {props.searchLabel && (
        <InBar place={props.bar.lead}>
          <form
            className={styles.search}
            onSubmit={(event) => {
              event.preventDefault();
              props.onSearch(typed.trim());
            }}
          >
            <SearchField
              ref={props.searchField}
              label={props.searchLabel}
              value={typed}
              onValueChange={(text) => {
                setTyped(text);
                if (text === '') props.onSearch('');
              }}
            />
          </form>
        </InBar>
      )}
      <InBar place={props.bar.tail}>
        {props.vectors.length > 1 && (
          <Select
            size="small"
            aria-label="Vector"
            className={styles.choice}
            value={props.vector}
            options={props.vectors.map((name) => ({ value: name, label: name }))}
            onValueChange={props.onVector}
          />
        )}
        {props.columns && (
          <Select
            size="small"
            aria-label="Colour by"
            className={styles.choice}
            value={props.colourBy}
            options={[
              { value: '', label: 'One colour' },
              ...props.columns.map((name) => ({ value: name, label: `Colour: ${name}` })),
            ]}
            onValueChange={props.onColourBy}
          />
        )}
      </InBar>
    </>
  );
}
