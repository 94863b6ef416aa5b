import { AlertDialog as BaseAlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../controls/buttons/button.tsx';
import {
  ConnectionLine,
  type ConnectionSign,
  CurrentConnection,
} from '../../controls/connection-sign/current-connection.tsx';
import styles from '../../controls/dialogs/dialog.module.css';
import { isSecondClick } from '../../controls/keys/is-second-click.ts';
import { classNames } from '../../controls/styles/class-names.ts';
import { ErrorNote } from './error-note.tsx';

/** A question that must be answered. Escape and Cancel mean no. The focus starts on Cancel. */
export function AlertDialog(props: {
  open: boolean;
  title: string;
  children?: ReactNode;
  /** The connection to name. Defaults to the `CurrentConnection`. */
  connection?: ConnectionSign | undefined;
  confirm: string;
  cancel?: string;
  danger?: boolean;
  /** The element that gets the focus when the dialog has closed, or true for the one that had it before. */
  finalFocus?: () => HTMLElement | true | null;
  /** If the returned promise rejects, the dialog shows the error. */
  onConfirm(): unknown;
  onCancel(): void;
}) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const question = useRef(0);
  // A new question must not show the error of an earlier question.
  useLayoutEffect(() => {
    question.current++;
    if (props.open) setError(null);
  }, [props.open]);
  const cancel = useRef<HTMLButtonElement>(null);
  const around = useContext(CurrentConnection);
  const connection = props.connection ?? around;
  const confirm = async () => {
    const asked = question.current;
    setBusy(true);
    setError(null);
    try {
      await props.onConfirm();
    } catch (reason) {
      if (question.current === asked) setError(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <BaseAlertDialog.Root open={props.open} onOpenChange={(open) => !open && props.onCancel()}>
      <BaseAlertDialog.Portal>
        <BaseAlertDialog.Backdrop className={styles.backdrop} forceRender />
        <BaseAlertDialog.Viewport className={styles.viewport}>
          <BaseAlertDialog.Popup
            className={classNames(styles.popup, styles.small)}
            initialFocus={cancel}
            {...(props.finalFocus && { finalFocus: props.finalFocus })}
          >
            <header className={classNames(styles.header, styles.question)}>
              <BaseAlertDialog.Title className={styles.title}>{props.title}</BaseAlertDialog.Title>
            </header>
            <BaseAlertDialog.Description className={styles.body} render={<div />}>
              {connection && <ConnectionLine connection={connection} />}
              {props.children}
              {error !== null && <ErrorNote error={error} />}
            </BaseAlertDialog.Description>
            <footer className={styles.footer}>
              <Button ref={cancel} onClick={props.onCancel}>
                {props.cancel ?? 'Cancel'}
              </Button>
              <Button
                variant={props.danger ? 'danger' : 'primary'}
                disabled={busy}
                // Otherwise the focus would leave the dialog when the button becomes disabled.
                focusableWhenDisabled
                onClick={(event) => !isSecondClick(event) && confirm()}
              >
                {props.confirm}
              </Button>
            </footer>
          </BaseAlertDialog.Popup>
        </BaseAlertDialog.Viewport>
      </BaseAlertDialog.Portal>
    </BaseAlertDialog.Root>
  );
}
