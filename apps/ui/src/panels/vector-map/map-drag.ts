export type Tool = 'move' | 'rectangle' | 'lasso';

interface Place {
  x: number;
  y: number;
}

/** A press on the map until its release. `shape` is the outline that the tool has drawn so far. */
export interface Drag {
  from: Place;
  moved: boolean;
  shape: Place[];
}

export function pressed(at: Place): Drag {
  return { from: at, moved: false, shape: [] };
}

/**
 * The drag after the pointer has moved to `at`. It counts as moved once the pointer was more than three pixels away
 * from the press. The tool `move` needs no shape. Its next step starts at `at`.
 */
export function draggedTo({ from, moved, shape }: Drag, at: Place, tool: Tool): Drag {
  if (!moved && Math.hypot(at.x - from.x, at.y - from.y) <= 3) return { from, moved, shape };
  if (tool === 'move') return { from: at, moved: true, shape };
  if (tool === 'lasso') return { from, moved: true, shape: [...(moved ? shape : [from]), at] };
  return { from, moved: true, shape: [from, { x: at.x, y: from.y }, at, { x: from.x, y: at.y }] };
}
