import { useQuery } from '@tanstack/react-query';
import type { ShownRequest } from '@trestle/driver-kit';
import { useState } from 'react';
import { data } from '../shared/api.ts';
import { classNames } from '../shared/class-names.ts';
import code from '../shared/code-block.module.css';
import { CopyButton } from '../shared/copy-button.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { queryKeys } from '../shared/query-keys.ts';
import { Segments } from '../shared/segments.tsx';
import styles from './request-code.module.css';

/** A page or a search as code, in each language that the driver supports. */
export function RequestCodeDialog(props: {
  connectionId: string;
  /** Null while the dialog is closed. */
  shown: ShownRequest | null;
  /** The subject, for the title: "Mission", "Hybrid 0.75". */
  name: string;
  onClose(): void;
}) {
  const { connectionId, shown } = props;
  const [wanted, setWanted] = useState('');
  const codes = useQuery({
    queryKey: queryKeys.rows(connectionId, shown?.request.table ?? '', 'code', shown),
    enabled: shown !== null,
    retry: false,
    queryFn: ({ signal }) => data('showRequest', connectionId, shown!, signal),
  });
  const list = codes.data ?? [];
  const current = list.find(({ label }) => label === wanted) ?? list[0];
  return (
    <Dialog
      open={shown !== null}
      onClose={props.onClose}
      title={`${props.name} as code`}
      width="large"
      footer={current && <CopyButton text={current.text} what={current.label} />}
    >
      {codes.error && <ErrorNote error={codes.error} />}
      {current && (
        <div className={styles.code}>
          <Segments
            label="Language"
            value={current.label}
            options={list.map(({ label }) => ({ value: label, label }))}
            onValueChange={setWanted}
          />
          {/* Long lines scroll, also by keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus */}
          <section tabIndex={0} aria-label={current.label} className={classNames(code.block, styles.text)}>
            {current.text}
          </section>
        </div>
      )}
    </Dialog>
  );
}
