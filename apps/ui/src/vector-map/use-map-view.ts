import { useMemo, useState } from 'react';
import { fitted, type Size, type Viewport, zoomed } from './viewport.ts';

/** Where the map lies in its frame. While it is laid out it grows; once the user has moved it, it stays there. */
export function useMapView(positions: Float32Array) {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [own, setOwn] = useState<Viewport | null>(null);
  const viewport = useMemo(() => own ?? fitted(positions, size), [own, positions, size]);
  const middle = { x: size.width / 2, y: size.height / 2 };
  return {
    viewport,
    setSize,
    setViewport: setOwn,
    showAll: () => setOwn(null),
    zoom: (factor: number) => setOwn(zoomed(viewport, factor, middle)),
    /** Brings a place into the middle, three times as near as when all is shown. */
    goTo(place: { x: number; y: number }) {
      const scale = fitted(positions, size).scale * 3;
      setOwn({ scale, x: middle.x - place.x * scale, y: middle.y - place.y * scale });
    },
  };
}
