import { classNames } from '../../controls/styles/class-names.ts';
import code from '../../controls/styles/code-block.module.css';
import { AlertDialog } from '../../data/messages/alert-dialog.tsx';
import styles from './results.module.css';
import type { Asking } from './use-run-query.ts';

export function ConfirmRun(props: { asking: Asking | null; onAnswer(yes: boolean): void }) {
  const destroys = props.asking?.classification.effect === 'destroy';
  return (
    <AlertDialog
      open={props.asking !== null}
      title={destroys ? 'Run this destructive statement?' : 'Run this statement?'}
      confirm={destroys ? 'Run it' : 'Run'}
      danger={destroys}
      onConfirm={() => props.onAnswer(true)}
      onCancel={() => props.onAnswer(false)}
    >
      {props.asking && (
        <>
          <p className={styles.summary}>
            {props.asking.classification.summary}
            {destroys && '. This cannot be undone.'}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long statement is scrolled by keyboard */}
          <pre className={classNames(code.block, code.scrolling)} tabIndex={0}>
            {props.asking.text.trim()}
          </pre>
        </>
      )}
    </AlertDialog>
  );
}
