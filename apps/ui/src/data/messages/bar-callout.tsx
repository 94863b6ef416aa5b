import { CircleAlert } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import type { ApiError } from '../api/api.ts';
import styles from './bar-callout.module.css';
import { CopyDetails } from './copy-details.tsx';

/**
 * A message about one part of a bar, below that part. It lies over the rows, so that they do not move when it appears.
 */
export function BarCallout(props: {
  id?: string;
  /** The part that the message is about. */
  at: () => Element | null | undefined;
  children: ReactNode;
  /** Adds a button that copies the details of this error for a report. */
  error?: ApiError;
  actions?: ReactNode;
}) {
  const [left, setLeft] = useState(0);
  // Runs after every render, because a change of the bar may have moved the part.
  useLayoutEffect(() => {
    const part = props.at();
    const area = part?.closest('[data-bar-area]');
    if (!part || !area) return;
    const room = area.clientWidth - widest - 8;
    const next = part.getBoundingClientRect().left - area.getBoundingClientRect().left;
    setLeft(Math.max(8, Math.min(next, room)));
  });
  return (
    <div id={props.id} role="alert" className={styles.callout} style={{ left }}>
      <CircleAlert size={14} aria-hidden className={styles.icon} />
      <div className={styles.text}>{props.children}</div>
      {props.error && <CopyDetails error={props.error} />}
      {props.actions && <div className={styles.actions}>{props.actions}</div>}
    </div>
  );
}

const widest = 420;
