export type { InspectedProperty, InspectedRow, InspectorPart } from './inspected-row.ts';
export { RowInspector } from './on-demand.tsx';
