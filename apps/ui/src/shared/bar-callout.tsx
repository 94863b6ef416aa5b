import { CircleAlert } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import type { ApiError } from './api.ts';
import styles from './bar-callout.module.css';
import { CopyDetails } from './copy-details.tsx';

/**
 * A word about one part of a bar, below it and level with it. It takes no room of its own: the rows that it would
 * cover are not there.
 */
export function BarCallout(props: {
  id?: string;
  /** The part it is about. */
  at: () => Element | null | undefined;
  children: ReactNode;
  /** Offers its details for a report. */
  error?: ApiError;
  actions?: ReactNode;
}) {
  const [left, setLeft] = useState(0);
  // The part may have moved with any change of the bar.
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
