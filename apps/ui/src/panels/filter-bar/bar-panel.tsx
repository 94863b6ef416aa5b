import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isHandled } from '../../controls/keys/is-handled.ts';
import styles from './bar-panel.module.css';

/**
 * A panel below a bar, aligned to the control that opens it. Its place in the Tab order is where the caller draws it.
 * It stays open while the focus is elsewhere. Escape inside the panel closes it. So do most presses outside it.
 */
export function BarPanel(props: {
  anchor: Element | null;
  width: number;
  /** `press`: the user pressed something outside the panel. The caller must then not move the focus. */
  onClose(by: 'escape' | 'press'): void;
  children: ReactNode;
}) {
  const panel = useRef<HTMLElement>(null);
  const close = useRef(props.onClose);
  close.current = props.onClose;
  const [place, setPlace] = useState({ left: 8, room: 400 });
  const { anchor, width } = props;
  useLayoutEffect(() => {
    const area = panel.current?.closest('[data-bar-area]');
    if (!area) return;
    const look = () => {
      const { left, bottom, width: whole } = area.getBoundingClientRect();
      const start = (anchor?.getBoundingClientRect().left ?? left) - left;
      setPlace({ left: Math.max(8, Math.min(start, whole - width - 8)), room: innerHeight - bottom - 16 });
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(area);
    return () => observer.disconnect();
  }, [anchor, width]);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || panel.current?.contains(target) || anchor?.contains(target)) return;
      // A press on a popup or a toast does not close the panel. The popups of its controls are outside the panel.
      if (target.closest('[role=listbox], [role=option], [role=menu], [role=dialog], [data-toast]')) return;
      close.current('press');
    };
    document.addEventListener('pointerdown', onPress, true);
    return () => document.removeEventListener('pointerdown', onPress, true);
  }, [anchor]);
  return (
    <search
      ref={panel}
      className={styles.panel}
      style={{
        left: place.left,
        maxWidth: `min(${width}px, calc(100% - ${place.left + 8}px))`,
        maxHeight: place.room,
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isHandled(event)) return;
        event.stopPropagation();
        props.onClose('escape');
      }}
    >
      {props.children}
    </search>
  );
}
