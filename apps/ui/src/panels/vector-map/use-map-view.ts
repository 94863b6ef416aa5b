import { useMemo, useState } from 'react';
import { fitted, type Size, type Viewport, zoomed } from './viewport.ts';

/** The position and zoom of the map. They follow the layout until the user moves or zooms the map. */
export function useMapView(positions: Float32Array) {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [own, setOwn] = useState<Viewport | null>(null);
  const viewport = useMemo(() => own ?? fitted(positions, size), [own, positions, size]);
  const middle = { x: size.width / 2, y: size.height / 2 };
  return {
    viewport,
    size,
    setSize,
    setViewport: setOwn,
    showAll: () => setOwn(null),
    zoom: (factor: number) => setOwn(zoomed(viewport, factor, middle)),
    /** Centres a position, at three times the zoom that shows everything. */
    goTo(place: { x: number; y: number }) {
      const scale = fitted(positions, size).scale * 3;
      setOwn({ scale, x: middle.x - place.x * scale, y: middle.y - place.y * scale });
    },
  };
}
