import { type ComponentProps, createContext, type RefObject, useContext, useRef } from 'react';

/**
 * The landmark that menus and lists are put into, so that a screen reader finds them. Undefined inside a dialog, where
 * Base UI puts menus and lists into the portal of the dialog.
 */
export const PopupPlace = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

export function usePopupPlace(): RefObject<HTMLElement | null> | undefined {
  return useContext(PopupPlace);
}

/** The main part of the page, with the popups that belong to it. */
export function Main({ children, ...props }: ComponentProps<'main'>) {
  const place = useRef<HTMLElement>(null);
  return (
    <main {...props} ref={place}>
      <PopupPlace value={place}>{children}</PopupPlace>
    </main>
  );
}
