import type { Partition } from '@trestle/driver-kit';
import { ChevronRight, Users } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import { SearchField } from '../controls/fields/search-field.tsx';
import { EmptyState } from '../controls/marks/empty-state.tsx';
import styles from './partition-list.module.css';

/** The most tenants that are drawn. The search field finds the others. */
const shownAtMost = 200;
/** A list of up to this many tenants needs no search field. */
const needsField = 8;

/** The tenants of a table, shown until the user selects one. */
export function PartitionList(props: {
  table: string;
  partitions: Partition[];
  /** The tenant that is being activated. */
  activating: string | null;
  onChoose(partition: string): void;
  /** Undefined if no tenant can be activated. */
  onActivate: ((partition: string) => void) | undefined;
}) {
  const titleId = useId();
  const [text, setText] = useState('');
  const { partitions } = props;
  if (partitions.length === 0) {
    return (
      <EmptyState icon={<Users size={28} strokeWidth={1.5} aria-hidden />} title="There are no tenants yet">
        {props.table} keeps its rows by tenant. A program that writes to it creates the tenants.
      </EmptyState>
    );
  }
  const matching = partitions.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <section className={styles.frame} aria-labelledby={titleId}>
      <h2 id={titleId}>Choose a tenant</h2>
      <p>{props.table} keeps its rows by tenant, and shows one tenant at a time.</p>
      {partitions.length > needsField && (
        <SearchField label="Find a tenant" value={text} onValueChange={setText} />
      )}
      <ul className={styles.list} aria-label="Tenants">
        {matching.slice(0, shownAtMost).map(({ name, unavailable, activates }) => (
          <li key={name}>
            {unavailable === undefined ? (
              <button type="button" className={styles.tenant} onClick={() => props.onChoose(name)}>
                <span className={styles.name}>{name}</span>
                <ChevronRight size={14} aria-hidden />
              </button>
            ) : (
              <div className={styles.tenant}>
                <span className={styles.name}>{name}</span>
                <span className={styles.state}>{unavailable}</span>
                {activates && props.onActivate && (
                  <Button
                    size="small"
                    aria-label={`Activate ${name}`}
                    disabled={props.activating !== null}
                    focusableWhenDisabled
                    onClick={() => props.onActivate?.(name)}
                  >
                    {props.activating === name ? 'Activating…' : 'Activate'}
                  </Button>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {matching.length === 0 && <p>No tenant has that name</p>}
      {matching.length > shownAtMost && (
        <p>
          {shownAtMost} of {matching.length.toLocaleString('en')} are shown: type to find others
        </p>
      )}
    </section>
  );
}
