import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../shared/button.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { Note } from '../shared/error-note.tsx';
import { showError } from '../shared/toast.tsx';
import styles from './integrations.module.css';

export function ShownToken(props: { name: string; secret: string; onClose(): void }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(props.secret).then(
      () => setCopied(true),
      (error) => showError('The token was not copied', error),
    );
  return (
    <Dialog
      open
      width="small"
      title={`Token “${props.name}”`}
      onClose={props.onClose}
      footer={
        <Button variant="primary" onClick={props.onClose}>
          Done
        </Button>
      }
    >
      <div className={styles.form}>
        <Note level="warning">Copy the token now. It is not shown again.</Note>
        <output className={styles.secret}>{props.secret}</output>
        <div>
          <Button
            icon={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy token'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
