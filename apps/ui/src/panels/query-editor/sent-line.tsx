import type { SentRequests } from '@trestle/driver-kit';
import { useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import { CodeDialog } from '../request-code/index.ts';
import styles from './results.module.css';

/** The line above a result: how the statement was sent. */
export function SentLine({ sent }: { sent: SentRequests }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.sent}>
      <span>{sent.words}</span>
      <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
        Show request
      </Button>
      <CodeDialog open={isOpen} onClose={() => setOpen(false)} title="The request" codes={sent.requests} />
    </div>
  );
}
