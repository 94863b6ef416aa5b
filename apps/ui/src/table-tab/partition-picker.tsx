import type { Partition } from '@trestle/driver-kit';
import { Combobox } from '../shared/combobox.tsx';
import styles from './table-tab.module.css';

/** Chooses the partition (tenant) to read: such a table shows nothing without one. */
export function PartitionPicker(props: {
  partitions: Partition[];
  value: string | undefined;
  onChange(partition: string): void;
}) {
  return (
    <Combobox
      size="small"
      className={styles.partition}
      aria-label="Tenant"
      placeholder="Choose a tenant"
      empty="No tenant of that name"
      value={props.value ?? null}
      options={props.partitions.map(({ name, unavailable }) => ({
        value: name,
        label: name,
        ...(unavailable && { detail: unavailable, disabled: true }),
      }))}
      onValueChange={props.onChange}
    />
  );
}
