import { Unplug } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../controls/buttons/button.tsx';
import type { SessionStatus } from '../data/api/api-types.ts';
import { connect } from '../data/connections/connect.ts';
import { focusActiveTab } from '../data/window/tab-focus.ts';
import styles from './connection-strip.module.css';

/** Says that the connection is lost, why, and when the next attempt is. The tabs do not repeat this message. */
export function ConnectionStrip({ name, status }: { name: string; status: SessionStatus }) {
  const strip = useRef<HTMLDivElement>(null);
  // A layout effect is cleaned up while the strip is still in the page. After its removal, nothing in it has the focus.
  useLayoutEffect(() => {
    const element = strip.current;
    // The strip's button disappears with the strip. A user who pressed it by keyboard continues in the tab.
    return () => {
      if (element?.contains(document.activeElement)) focusActiveTab();
    };
  }, []);
  const { error, retryAt } = status;
  return (
    <div ref={strip} className={styles.strip}>
      <Unplug size={15} aria-hidden />
      <p role="alert">
        {lostWords(name, error?.message)} {error?.hint}
      </p>
      <Countdown until={retryAt} />
      <Button
        size="small"
        disabled={!retryAt}
        focusableWhenDisabled
        onClick={() => connect(status.connectionId)}
      >
        Retry now
      </Button>
    </div>
  );
}

function lostWords(name: string, message = ''): string {
  const reason = message.replace(/^Connection failed: /, '').replace(/\.$/, '');
  return `The connection to “${name}” is lost${reason && `: ${reason}`}.`;
}

/** The countdown is outside the alert. Inside, it would make a screen reader read the whole alert again each second. */
function Countdown({ until }: { until: string | undefined }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = until === undefined ? 0 : Math.ceil((Date.parse(until) - now) / 1000);
  return (
    <span role="timer" className={styles.countdown}>
      {seconds > 0 ? `Next attempt in ${seconds} s` : 'Trying again…'}
    </span>
  );
}
