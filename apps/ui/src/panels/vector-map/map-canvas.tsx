import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { type Drag, draggedTo, pressed, type Tool } from './map-drag.ts';
import { isMapKey, pointAfter, viewAfter, viewWith } from './map-keys.ts';
import { useRaster } from './use-raster.ts';
import styles from './vector-map.module.css';
import { pointAt, pointsInside, type Size, type Viewport, zoomed } from './viewport.ts';

export interface CanvasProps {
  positions: Float32Array;
  tool: Tool;
  label: string;
  /** The point under the pointer or at the keyboard cursor; -1 for none. */
  current: number;
  /** The palette index of a point; -1 hides it. */
  colourOf(point: number): number;
  palette: string[];
  viewport: Viewport;
  onViewport(viewport: Viewport): void;
  onSize(size: Size): void;
  onHover(point: number): void;
  onChoose(point: number): void;
  onSelect(points: number[]): void;
  children: ReactNode;
}

/** The points, with pointer and keyboard control. */
export function MapCanvas(props: CanvasProps) {
  const { positions, viewport, tool } = props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame, props.onSize);
  const [shape, setShape] = useState<Drag['shape']>([]);
  // A ref and not a state: at the release, React may not have rendered the last move yet.
  const drag = useRef<Drag | null>(null);
  useRaster(canvas, size, props);
  useWheel(frame, (factor, at) => props.onViewport(zoomed(viewport, factor, at)));

  const isShown = (point: number) => props.colourOf(point) >= 0;
  const placeOf = (event: PointerEvent) => {
    const box = frame.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const down = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = pressed(placeOf(event));
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const at = placeOf(event);
    const before = drag.current;
    if (!before) return props.onHover(pointAt(viewport, positions, at, isShown));
    const next = draggedTo(before, at, tool);
    drag.current = next;
    if (!next.moved) return;
    setShape(next.shape);
    const { from } = before;
    if (tool === 'move')
      props.onViewport({ ...viewport, x: viewport.x + at.x - from.x, y: viewport.y + at.y - from.y });
  };
  const end = () => {
    const ended = drag.current;
    drag.current = null;
    setShape([]);
    return ended;
  };
  const up = (event: PointerEvent<HTMLDivElement>) => {
    const ended = end();
    if (!ended) return;
    if (!ended.moved) props.onChoose(pointAt(viewport, positions, placeOf(event), isShown));
    else if (tool !== 'move') props.onSelect(pointsInside(viewport, positions, ended.shape, isShown));
  };
  const keys = (event: KeyboardEvent) => {
    if (!isMapKey(event)) return;
    if (event.shiftKey && event.key.startsWith('Arrow')) {
      event.preventDefault();
      const next = pointAfter(event.key, props.current, { viewport, size, positions, isShown });
      if (next < 0) return;
      props.onHover(next);
      const seen = viewWith(next, viewport, size, positions);
      if (seen !== viewport) props.onViewport(seen);
      return;
    }
    if (event.key === 'Enter' && props.current >= 0) {
      event.preventDefault();
      return props.onChoose(props.current);
    }
    const next = viewAfter(event.key, viewport, size, positions);
    if (!next) return;
    event.preventDefault();
    props.onViewport(next);
  };
  return (
    <div
      ref={frame}
      // The map handles the arrow keys itself: a screen reader must not use them for its own cursor.
      role="application"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved with the keys
      tabIndex={0}
      className={styles.canvas}
      data-tool={tool}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={end}
      onPointerLeave={() => props.onHover(-1)}
      onKeyDown={keys}
    >
      <canvas ref={canvas} aria-hidden />
      <svg className={styles.overlay} aria-hidden="true">
        {shape.length > 1 && (
          <polygon className={styles.shape} points={shape.map(({ x, y }) => `${x},${y}`).join(' ')} />
        )}
        {props.children}
      </svg>
    </div>
  );
}

function useSize(frame: React.RefObject<HTMLDivElement | null>, onSize: (size: Size) => void): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const tell = useRef(onSize);
  tell.current = onSize;
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize({ width, height });
      tell.current({ width, height });
    });
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}

/** React's wheel listeners are passive and cannot stop the page from scrolling. */
function useWheel(
  frame: React.RefObject<HTMLDivElement | null>,
  zoom: (factor: number, at: { x: number; y: number }) => void,
): void {
  const act = useRef(zoom);
  act.current = zoom;
  useEffect(() => {
    const element = frame.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const at = { x: event.clientX - box.left, y: event.clientY - box.top };
      act.current(Math.exp(-event.deltaY / 400), at);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frame]);
}
