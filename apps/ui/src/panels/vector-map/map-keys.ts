import { fitted, onScreen, pointAt, type Size, type Viewport, zoomed } from './viewport.ts';

const directions: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** With Ctrl, Cmd or Alt, a key belongs to the browser: Ctrl+Plus zooms the page. */
export function isMapKey(event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** Arrows move the map, + (or =) and - zoom, 0 shows everything. Undefined for any other key. */
export function viewAfter(
  key: string,
  viewport: Viewport,
  size: Size,
  positions: Float32Array,
): Viewport | undefined {
  const middle = { x: size.width / 2, y: size.height / 2 };
  const step = 60;
  const direction = directions[key];
  if (direction)
    return { ...viewport, x: viewport.x - direction.x * step, y: viewport.y - direction.y * step };
  if (key === '+' || key === '=') return zoomed(viewport, 1.25, middle);
  if (key === '-') return zoomed(viewport, 0.8, middle);
  return key === '0' ? fitted(positions, size) : undefined;
}

/**
 * The nearest point in the direction of an arrow, within a quarter circle. Without a start point, or if it is hidden,
 * the point nearest to the centre. Hidden points do not count. -1 if there is no such point, or if the key is not an
 * arrow.
 */
export function pointAfter(
  key: string,
  from: number,
  at: { viewport: Viewport; size: Size; positions: Float32Array; isShown(point: number): boolean },
): number {
  const { viewport, size, positions, isShown } = at;
  const direction = directions[key];
  if (!direction) return -1;
  if (from < 0 || from * 2 >= positions.length || !isShown(from)) {
    const middle = { x: size.width / 2, y: size.height / 2 };
    return pointAt(viewport, positions, middle, isShown, Number.POSITIVE_INFINITY);
  }
  const x = positions[from * 2]!;
  const y = positions[from * 2 + 1]!;
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let point = 0; point * 2 < positions.length; point++) {
    const right = positions[point * 2]! - x;
    const down = positions[point * 2 + 1]! - y;
    const along = right * direction.x + down * direction.y;
    const across = Math.abs(right * direction.y) + Math.abs(down * direction.x);
    if (along <= 0 || across > along || point === from) continue;
    const distance = right * right + down * down;
    if (distance < least && isShown(point)) {
      least = distance;
      nearest = point;
    }
  }
  return nearest;
}

/** The view that shows the point. It moves only if the point is outside or near the edge. */
export function viewWith(point: number, viewport: Viewport, size: Size, positions: Float32Array): Viewport {
  const { x, y } = onScreen(viewport, positions, point);
  const margin = 40;
  const isInside = x >= margin && y >= margin && x <= size.width - margin && y <= size.height - margin;
  if (isInside) return viewport;
  return { ...viewport, x: viewport.x + size.width / 2 - x, y: viewport.y + size.height / 2 - y };
}
