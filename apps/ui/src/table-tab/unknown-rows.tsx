import { CircleHelp } from 'lucide-react';
import { Button } from '../controls/buttons/button.tsx';
import { counted } from '../controls/text/counted.ts';
import styles from './table-tab.module.css';

/** New rows that were sent and never answered. Only the user can decide whether to send them again. */
export function UnknownRows(props: {
  count: number;
  /** Whether each row would be sent again with the same key. The database then does not store it twice. */
  keyed: boolean;
  disabled: boolean;
  onSendAgain(): void;
  onLook(): void;
  onDiscard(): void;
}) {
  const { count, keyed, disabled } = props;
  const they = count === 1 ? 'it' : 'they';
  const rows = counted(count, 'new row');
  return (
    <section className={styles.unknown} aria-label="Rows that may have been stored">
      <CircleHelp size={14} aria-hidden />
      <p>
        {rows} may have been stored: the answer never came.{' '}
        {keyed
          ? `Sent again, ${they} ${count === 1 ? 'keeps its key, and is' : 'keep their keys, and are'} not stored twice.`
          : `Sent again, ${they} could be stored twice.`}
      </p>
      <span className={styles.stagedActions}>
        <Button size="small" disabled={disabled} focusableWhenDisabled onClick={props.onLook}>
          Look for {count === 1 ? 'it' : 'them'}
        </Button>
        <Button size="small" disabled={disabled} focusableWhenDisabled onClick={props.onSendAgain}>
          Send again
        </Button>
        <Button size="small" disabled={disabled} focusableWhenDisabled onClick={props.onDiscard}>
          Discard {count === 1 ? 'row' : 'rows'}
        </Button>
      </span>
    </section>
  );
}
