import type { ComponentType } from 'react';
import type { InspectorPart } from './inspected-row.ts';
import { PropertySection } from './property-section.tsx';
import { SearchSection } from './search-section.tsx';
import { SimilarSection } from './similar-section.tsx';
import { VectorSection } from './vector-section.tsx';

/**
 * The parts of the inspector, from top to bottom. A part without data for a row draws nothing. To add a part,
 * add an entry.
 */
export const inspectorSections: { id: string; Section: ComponentType<InspectorPart> }[] = [
  { id: 'search', Section: SearchSection },
  { id: 'properties', Section: PropertySection },
  { id: 'similar', Section: SimilarSection },
  { id: 'vectors', Section: VectorSection },
];
