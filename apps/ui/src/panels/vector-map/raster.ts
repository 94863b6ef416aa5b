import type { Viewport } from './viewport.ts';

export type Rgb = [number, number, number];

/**
 * Draws points as transparent discs, so that overlap shows density. It writes the pixels itself, because one canvas
 * call per point took 40 times as long.
 */
export function drawPoints(
  image: ImageData,
  options: {
    positions: Float32Array;
    viewport: Viewport;
    /** Device pixels per CSS pixel. */
    ratio: number;
    background: Rgb;
    colourOf(point: number): Rgb | null;
  },
): void {
  const { width, height, data } = image;
  const { positions, viewport, ratio, background } = options;
  fill(data, background);
  const size = Math.max(2, Math.round(pointSize(positions.length / 2) * ratio));
  const disc = discOf(size);
  const scale = viewport.scale * ratio;
  for (let point = 0; point * 2 < positions.length; point++) {
    const left = Math.round(positions[point * 2]! * scale + viewport.x * ratio - size / 2);
    const top = Math.round(positions[point * 2 + 1]! * scale + viewport.y * ratio - size / 2);
    if (left + size < 0 || top + size < 0 || left >= width || top >= height) continue;
    const colour = options.colourOf(point);
    if (!colour) continue;
    for (let y = Math.max(0, top); y < Math.min(height, top + size); y++) {
      for (let x = Math.max(0, left); x < Math.min(width, left + size); x++) {
        const share = disc[(y - top) * size + x - left]!;
        const at = (y * width + x) * 4;
        for (let part = 0; part < 3; part++) data[at + part]! += (colour[part]! - data[at + part]!) * share;
      }
    }
  }
}

/** The diameter in CSS pixels. A hundred points are large enough to click, fifty thousand small enough to show density. */
export function pointSize(points: number): number {
  return Math.min(9, Math.max(1.5, 110 / Math.sqrt(Math.max(1, points))));
}

/** How strongly a point colours each of its pixels. From a size of 3 pixels on, it is round and soft at the edge. */
function discOf(size: number): Float32Array {
  const strength = size > 4 ? 0.85 : 0.5;
  if (size < 3) return new Float32Array(size * size).fill(strength);
  const middle = (size - 1) / 2;
  return Float32Array.from({ length: size * size }, (_, at) => {
    const distance = Math.hypot((at % size) - middle, Math.floor(at / size) - middle);
    return strength * Math.min(1, Math.max(0, size / 2 - distance + 0.5));
  });
}

function fill(data: Uint8ClampedArray, [red, green, blue]: Rgb): void {
  const words = new Uint32Array(data.buffer);
  words.fill((255 << 24) | (blue << 16) | (green << 8) | red);
}

/** Reads `#1792a4` or `rgb(…)`. */
export function parseRgb(text: string): Rgb {
  const hex = /^#([0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (hex) return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;
  const numbers = text.match(/[\d.]+/g)?.map(Number) ?? [];
  return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0];
}
