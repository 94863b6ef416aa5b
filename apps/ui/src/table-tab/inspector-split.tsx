import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { isHandled } from '../controls/keys/is-handled.ts';
import styles from './inspector-split.module.css';
import type { TableStore } from './table-store.ts';

/** In a pane narrower than this, the inspector lies over the grid, because few columns would fit beside it. */
const leastBeside = 820;
const narrowest = 260;
/** In a pane narrower than this, the inspector covers the whole grid. */
const leastOver = 540;

/** The grid and the inspector: side by side if there is space, else the inspector over a part or all of the grid. */
export function InspectorSplit(props: {
  store: TableStore;
  inspector: ReactNode;
  onClose(): void;
  /** `covered`: how many pixels of the grid the inspector covers; 0 if it covers nothing or the whole grid. */
  children(covered: number): ReactNode;
}) {
  const { store, inspector } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const element = frame.current!;
    // A tab in the background has no width.
    const look = () => element.clientWidth > 0 && setWidth(element.clientWidth);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const remember = useRemembered((pixels) => store.setState({ inspectorWidth: pixels }));
  const isOver = width < leastBeside;
  const coversAll = width < leastOver;
  const over = coversAll ? width : 320;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the inspector from anywhere inside
    <div
      ref={frame}
      className={styles.frame}
      onKeyDown={(event) => inspector && closeOn(event, props.onClose)}
    >
      <Group orientation="horizontal" className={styles.group}>
        <Panel minSize={240}>{props.children(inspector && isOver && !coversAll ? over : 0)}</Panel>
        {inspector && !isOver && (
          <>
            <Separator className={styles.separator} aria-label="Width of the row inspector" />
            <Panel
              defaultSize={store.getState().inspectorWidth}
              minSize={narrowest}
              maxSize="60%"
              onResize={({ inPixels }) => remember(Math.round(inPixels))}
            >
              {inspector}
            </Panel>
          </>
        )}
      </Group>
      {inspector && isOver && (
        <div className={styles.over} style={{ width: over }}>
          {inspector}
        </div>
      )}
    </div>
  );
}

/**
 * Closes the inspector on Escape, unless an editor or a list has handled the key. Escape in a popup is ignored: React
 * bubbles the event here, although the popup is not inside this element.
 */
function closeOn(event: KeyboardEvent<HTMLElement>, onClose: () => void): void {
  if (event.key !== 'Escape' || isHandled(event)) return;
  if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
  event.preventDefault();
  onClose();
}

/** Stores the width once it has not changed for 300 ms, not at each step of a drag. */
function useRemembered(store: (pixels: number) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (pixels: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => pixels > 0 && store(pixels), 300);
  };
}
