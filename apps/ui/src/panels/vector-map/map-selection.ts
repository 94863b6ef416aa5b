import type { MapRows } from './map-rows.ts';

/** Selected points, and the rows of their map. */
export interface MapSelection {
  rows: MapRows | undefined;
  points: number[];
}

export const noSelection: MapSelection = { rows: undefined, points: [] };

/** The selected points of these rows. Empty if the selection is from another map: its points are other rows. */
export function selectedOf(selection: MapSelection, rows: MapRows | undefined): number[] {
  return selection.rows === rows ? selection.points : noSelection.points;
}
