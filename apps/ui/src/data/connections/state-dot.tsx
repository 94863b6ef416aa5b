import { classNames } from '../../controls/styles/class-names.ts';
import type { SessionStatus } from '../api/api-types.ts';
import styles from './state-dot.module.css';

export const stateWords: Record<SessionStatus['state'], string> = {
  disconnected: 'Not connected',
  connecting: 'Connecting',
  connected: 'Connected',
  reconnecting: 'Reconnecting',
  failed: 'Failed',
};

/** A mark for the state of a connection or an AI client. Marks of different colours also differ in shape. */
export function StateDot(props: { status: Pick<SessionStatus, 'state' | 'warning'> }) {
  const { state, warning } = props.status;
  const label = warning ? `${stateWords[state]}, with a warning` : stateWords[state];
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={classNames(styles.dot, styles[state], warning && styles.warning)}
    />
  );
}
