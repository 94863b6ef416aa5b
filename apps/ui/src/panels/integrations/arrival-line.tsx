import { CircleCheck, CircleDashed } from 'lucide-react';
import { classNames } from '../../controls/styles/class-names.ts';
import { timeAgo } from '../../controls/text/time-ago.ts';
import type { LastCall } from '../../data/api/api-types.ts';
import styles from './connect.module.css';

/**
 * Shows whether the client's first call has arrived. `other` is the newest call of any client that uses the bridge.
 * While the server is off, no client counts as connected, even if it called before.
 */
export function ArrivalLine(props: {
  name: string;
  isOn: boolean;
  call?: LastCall | null;
  other?: LastCall | null;
}) {
  const { name, isOn, call, other } = props;
  const newest = call ?? other;
  return (
    <p className={classNames(styles.arrival, isOn && call && styles.arrived)}>
      {isOn && call ? <CircleCheck size={15} aria-hidden /> : <CircleDashed size={15} aria-hidden />}
      <span>
        <span role="status">
          {call
            ? `${isOn ? 'Connected' : 'Last call'}: ${call.action}${call.outcome === 'denied' ? ', which was denied,' : ''}`
            : `Waiting for the first call from ${name}${other ? `. “${other.clientName}” called through trestle-mcp` : ''}`}
        </span>
        {/* The age is outside of the status. Inside, a screen reader would read the line each time the age changes. */}
        {newest && ` ${timeAgo(newest.at, new Date())}`}
      </span>
    </p>
  );
}
