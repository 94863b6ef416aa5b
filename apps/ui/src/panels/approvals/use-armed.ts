import { useEffect, useRef } from 'react';

/** Longer than the usual pause between two keystrokes. */
const quietMs = 500;

/**
 * Whether a question may be answered yet. A question appears without warning, perhaps while the user types, and takes
 * the focus. An Enter or space that was meant for the editor must not answer it. So the dialog accepts no answer
 * until half a second has passed without a keystroke.
 */
export function useArmed(questionId: string | undefined) {
  const armedAt = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    armedAt.current = questionId === undefined ? Number.POSITIVE_INFINITY : performance.now() + quietMs;
  }, [questionId]);
  return {
    isArmed: () => performance.now() >= armedAt.current,
    onKeyDown() {
      if (performance.now() < armedAt.current) armedAt.current = performance.now() + quietMs;
    },
  };
}
