import type { Partition } from '@trestle/driver-kit';
import { type RefObject, useImperativeHandle, useRef } from 'react';
import { Combobox } from '../shared/combobox.tsx';
import styles from './table-tab.module.css';

export interface PartitionPickerHandle {
  focus(): void;
}

/** Chooses the partition (tenant) to read: such a table shows nothing without one. */
export function PartitionPicker(props: {
  partitions: Partition[];
  value: string | undefined;
  onChange(partition: string): void;
  ref?: RefObject<PartitionPickerHandle | null>;
}) {
  const frame = useRef<HTMLDivElement>(null);
  useImperativeHandle(props.ref, () => ({
    focus: () => frame.current?.querySelector('input')?.focus(),
  }));
  return (
    <div ref={frame} className={styles.partition}>
      <Combobox
        size="small"
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
    </div>
  );
}
