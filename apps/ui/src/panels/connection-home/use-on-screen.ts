import { type RefObject, useEffect, useState } from 'react';

/** Whether the element is in view, or less than a card away from it. */
export function useOnScreen(element: RefObject<HTMLElement | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setOnScreen(entries.at(-1)!.isIntersecting), {
      rootMargin: '100px 0px',
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element]);
  return isOnScreen;
}
