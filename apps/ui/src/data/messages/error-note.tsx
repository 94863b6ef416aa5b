import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import { classNames } from '../../controls/styles/class-names.ts';
import { toApiError } from '../api/api.ts';
import { ConnectionDown, isOfConnection } from './connection-down.ts';
import { CopyDetails } from './copy-details.tsx';
import styles from './error-note.module.css';

/** An error at the place where it happened: the message, a hint, and buttons. */
export function ErrorNote(props: {
  error: unknown;
  /**
   * Names the action that failed. A note with a title is shown even while the connection is down: the report about
   * the connection does not name this action.
   */
  title?: string;
  children?: ReactNode;
  className?: string;
}) {
  const isDown = useContext(ConnectionDown) !== null;
  const error = toApiError(props.error);
  const { message, hint } = error;
  if (isDown && props.title === undefined && isOfConnection(error)) return null;
  return (
    <Note
      level="error"
      className={props.className}
      actions={
        <>
          {props.children}
          <CopyDetails error={error} />
        </>
      }
    >
      {props.title !== undefined && <p className={styles.title}>{props.title}</p>}
      <p>{message}</p>
      {hint && <p className={styles.hint}>{hint}</p>}
    </Note>
  );
}

export function Note(props: {
  level: 'error' | 'warning' | 'info';
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  const Icon = { error: CircleAlert, warning: TriangleAlert, info: Info }[props.level];
  return (
    <div
      role={props.level === 'error' ? 'alert' : 'note'}
      className={classNames(styles.note, styles[props.level], props.className)}
    >
      <Icon size={15} aria-hidden className={styles.icon} />
      <div className={styles.text}>{props.children}</div>
      {props.actions && <div className={styles.actions}>{props.actions}</div>}
    </div>
  );
}
