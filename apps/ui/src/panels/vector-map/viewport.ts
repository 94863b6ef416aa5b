import { boundsOf } from './bounds.ts';

/**
 * The position and zoom of the map: `screen = map × scale + (x, y)`. Positions on the screen are in CSS pixels from the
 * top left corner of the map's area.
 */
export interface Viewport {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

const margin = 48;

/** The viewport that shows all points, with a margin. */
export function fitted(positions: Float32Array, { width, height }: Size): Viewport {
  const { left, top, right, bottom } = boundsOf(positions);
  if (right < left) return { scale: 1, x: width / 2, y: height / 2 };
  const room = (size: number, extent: number) => Math.max(1, size - 2 * margin) / Math.max(extent, 1e-6);
  const scale = Math.min(room(width, right - left), room(height, bottom - top), 400);
  return {
    scale,
    x: width / 2 - ((left + right) / 2) * scale,
    y: height / 2 - ((top + bottom) / 2) * scale,
  };
}

/** Zooms. The position `at` on the screen stays in place. */
export function zoomed(viewport: Viewport, factor: number, at: { x: number; y: number }): Viewport {
  const scale = Math.min(1e5, Math.max(0.01, viewport.scale * factor));
  const ratio = scale / viewport.scale;
  return { scale, x: at.x - (at.x - viewport.x) * ratio, y: at.y - (at.y - viewport.y) * ratio };
}

export function onScreen(viewport: Viewport, positions: Float32Array, point: number) {
  return {
    x: positions[point * 2]! * viewport.scale + viewport.x,
    y: positions[point * 2 + 1]! * viewport.scale + viewport.y,
  };
}

/** The point nearest to a position on the screen, without hidden points; -1 if none is nearer than `reach` pixels. */
export function pointAt(
  viewport: Viewport,
  positions: Float32Array,
  at: { x: number; y: number },
  isShown: (point: number) => boolean,
  reach = 10,
): number {
  const x = (at.x - viewport.x) / viewport.scale;
  const y = (at.y - viewport.y) / viewport.scale;
  let nearest = -1;
  let least = (reach / viewport.scale) ** 2;
  for (let point = 0; point * 2 < positions.length; point++) {
    const distance = (positions[point * 2]! - x) ** 2 + (positions[point * 2 + 1]! - y) ** 2;
    if (distance < least && isShown(point)) {
      least = distance;
      nearest = point;
    }
  }
  return nearest;
}

/** The points inside a shape on the screen, by the even-odd rule, without hidden points. */
export function pointsInside(
  viewport: Viewport,
  positions: Float32Array,
  shape: { x: number; y: number }[],
  isShown: (point: number) => boolean,
): number[] {
  const inside: number[] = [];
  for (let point = 0; point * 2 < positions.length; point++) {
    if (isShown(point) && contains(shape, onScreen(viewport, positions, point))) inside.push(point);
  }
  return inside;
}

function contains(shape: { x: number; y: number }[], { x, y }: { x: number; y: number }): boolean {
  let isInside = false;
  for (let at = 0, before = shape.length - 1; at < shape.length; before = at++) {
    const one = shape[at]!;
    const other = shape[before]!;
    if (one.y > y === other.y > y) continue;
    if (x < ((other.x - one.x) * (y - one.y)) / (other.y - one.y) + one.x) isInside = !isInside;
  }
  return isInside;
}
