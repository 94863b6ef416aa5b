import { type ComponentProps, createContext, type RefObject, useContext, useRef } from 'react';

/**
 * Where menus and lists are put: into the landmark they belong to, so that a screen reader finds them there.
 * Undefined inside a dialog, whose own place is the right one.
 */
export const PopupPlace = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

export function usePopupPlace(): RefObject<HTMLElement | null> | undefined {
  return useContext(PopupPlace);
}

/** The page's main part, with the popups of what is in it. */
export function Main({ children, ...props }: ComponentProps<'main'>) {
  const place = useRef<HTMLElement>(null);
  return (
    <main {...props} ref={place}>
      <PopupPlace value={place}>{children}</PopupPlace>
    </main>
  );
}
