import { useEffect, useState } from 'react';

/** True once `active` has been true for `delayMs`, because a shorter wait needs no indicator. */
export function useDelayed(active: boolean, delayMs = 150): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    setShown(false);
    if (!active) return;
    const timer = setTimeout(() => setShown(true), delayMs);
    return () => clearTimeout(timer);
  }, [active, delayMs]);
  return active && shown;
}
