import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { isHandled } from '../shared/is-handled.ts';
import styles from './inspector-split.module.css';
import type { TableStore } from './table-store.ts';

/** Beside a narrower grid than this the inspector would leave room for two columns. */
const leastBeside = 820;
const narrowest = 260;

/** The grid with the inspector at its right: beside it where there is room, and over it where there is not. */
export function InspectorSplit(props: {
  store: TableStore;
  inspector: ReactNode;
  onClose(): void;
  /** Given the pixels of the grid that the inspector lies over. */
  children(covered: number): ReactNode;
}) {
  const { store, inspector } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const element = frame.current!;
    // A tab behind another has no width at all.
    const look = () => element.clientWidth > 0 && setWidth(element.clientWidth);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const remember = useRemembered((pixels) => store.setState({ inspectorWidth: pixels }));
  const isOver = width < leastBeside;
  const over = Math.min(320, Math.round(width * 0.6));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from anywhere inside
    <div
      ref={frame}
      className={styles.frame}
      onKeyDown={(event) => inspector && closeOn(event, props.onClose)}
    >
      <Group orientation="horizontal" className={styles.group}>
        <Panel minSize={240}>{props.children(inspector && isOver ? over : 0)}</Panel>
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

/** Escape belongs to an editor or a list first; those take it. A popup is not inside, whatever React says. */
function closeOn(event: KeyboardEvent<HTMLElement>, onClose: () => void): void {
  if (event.key !== 'Escape' || isHandled(event)) return;
  if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
  event.preventDefault();
  onClose();
}

/** Stored once the drag rests. */
function useRemembered(store: (pixels: number) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (pixels: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => pixels > 0 && store(pixels), 300);
  };
}
