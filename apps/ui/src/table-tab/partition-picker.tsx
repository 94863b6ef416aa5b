import type { Partition } from '@trestle/driver-kit';
import { Combobox } from '../controls/fields/combobox.tsx';
import styles from './table-tab.module.css';

/** Switches to another partition (tenant). An unavailable partition can be selected only if `activates` is set. */
export function PartitionPicker(props: {
  partitions: Partition[];
  value: string | undefined;
  onChange(partition: string): void;
}) {
  return (
    <div className={styles.partition}>
      <Combobox
        size="small"
        aria-label="Tenant"
        placeholder="Choose a tenant"
        empty="No tenant has that name"
        value={props.value ?? null}
        options={props.partitions.map(({ name, unavailable, activates }) => ({
          value: name,
          label: name,
          ...(unavailable && { detail: unavailable, disabled: !activates }),
        }))}
        onValueChange={props.onChange}
      />
    </div>
  );
}
