import { type RefObject, useEffect, useState } from 'react';
import { drawPoints, parseRgb } from './raster.ts';
import type { Size, Viewport } from './viewport.ts';

interface Drawing {
  positions: Float32Array;
  viewport: Viewport;
  colourOf(point: number): number;
  /** CSS colours. They depend on the theme. */
  palette: string[];
}

/** Draws the points into the canvas. A change of the points, colours, view, size or theme draws them again. */
export function useRaster(canvas: RefObject<HTMLCanvasElement | null>, size: Size, drawing: Drawing): void {
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours of the palette
  useEffect(() => {
    const element = canvas.current;
    if (!element || size.width === 0 || size.height === 0) return;
    const frame = requestAnimationFrame(() => paint(element, size, drawing));
    return () => cancelAnimationFrame(frame);
  }, [canvas, size, theme, drawing.positions, drawing.viewport, drawing.colourOf, drawing.palette]);
}

function paint(canvas: HTMLCanvasElement, size: Size, drawing: Drawing): void {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const width = Math.round(size.width * ratio);
  const height = Math.round(size.height * ratio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) return;
  const palette = drawing.palette.map((colour) => resolved(canvas, colour));
  const image = context.createImageData(width, height);
  drawPoints(image, {
    positions: drawing.positions,
    viewport: drawing.viewport,
    ratio,
    background: resolved(canvas, 'var(--bg-surface)'),
    colourOf: (point) => palette[drawing.colourOf(point)] ?? null,
  });
  context.putImageData(image, 0, 0);
}

/** A CSS colour as numbers. The browser computes its `var()` and `color-mix()`. */
function resolved(canvas: HTMLCanvasElement, colour: string) {
  canvas.style.color = colour;
  const computed = getComputedStyle(canvas).color;
  const srgb = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)/.exec(computed);
  if (srgb) return [1, 2, 3].map((at) => Math.round(Number(srgb[at]) * 255)) as [number, number, number];
  return parseRgb(computed);
}

const readTheme = () => document.documentElement.dataset.theme;

function useTheme(): string | undefined {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(readTheme()));
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
  return theme;
}
