import { Plus, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { IconButton } from '../../controls/buttons/icon-button.tsx';
import styles from './connection-form.module.css';

/** Rows to fill in. A new row gets the focus. After a row is removed, the Add button gets the focus. */
export function EntryRows<Entry>(props: {
  entries: Entry[];
  /** The name of one entry, such as `header`. */
  what: string;
  add: string;
  empty: Entry;
  onChange(entries: Entry[]): void;
  /** The fields of one entry. */
  children(entry: Entry, index: number): ReactNode;
}) {
  const { entries, what, onChange } = props;
  const rows = useRef<HTMLDivElement>(null);
  const adds = useRef<HTMLButtonElement>(null);
  return (
    <>
      <div ref={rows} className={styles.entries}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
          <div key={index} className={styles.line}>
            {props.children(entry, index)}
            <IconButton
              label={`Remove ${what} ${index + 1}`}
              onClick={() => {
                onChange(entries.filter((_, at) => at !== index));
                adds.current?.focus();
              }}
            >
              <X size={14} aria-hidden />
            </IconButton>
          </div>
        ))}
      </div>
      <div>
        <Button
          ref={adds}
          size="small"
          icon={<Plus size={13} aria-hidden />}
          onClick={() => {
            onChange([...entries, props.empty]);
            // The row exists in the next frame.
            requestAnimationFrame(() => rows.current?.lastElementChild?.querySelector('input')?.focus());
          }}
        >
          {props.add}
        </Button>
      </div>
    </>
  );
}
