import type { RequestCode } from '@trestle/driver-kit';
import { useState } from 'react';
import { Segments } from '../../controls/buttons/segments.tsx';
import { Dialog } from '../../controls/dialogs/dialog.tsx';
import { classNames } from '../../controls/styles/class-names.ts';
import code from '../../controls/styles/code-block.module.css';
import { CopyButton } from '../../data/messages/copy-button.tsx';
import { ErrorNote } from '../../data/messages/error-note.tsx';
import styles from './request-code.module.css';

/** Code in one or more languages, with a button to copy it. */
export function CodeDialog(props: {
  open: boolean;
  title: string;
  codes: RequestCode[];
  error?: unknown;
  onClose(): void;
}) {
  const { codes } = props;
  const [wanted, setWanted] = useState('');
  const current = codes.find(({ label }) => label === wanted) ?? codes[0];
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={props.title}
      width="large"
      footer={current && <CopyButton text={current.text} what={current.label} />}
    >
      {props.error != null && <ErrorNote error={props.error} />}
      {current && (
        <div className={styles.code}>
          {codes.length > 1 && (
            <Segments
              label="Language"
              value={current.label}
              options={codes.map(({ label }) => ({ value: label, label }))}
              onValueChange={setWanted}
            />
          )}
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
