import inventions from '../data/inventions.json' with { type: 'json' };
import missions from '../data/missions.json' with { type: 'json' };
import museumNotes from '../data/museum-notes.json' with { type: 'json' };
import schema from '../data/schema.json' with { type: 'json' };
import species from '../data/species.json' with { type: 'json' };

/** In the form of `POST /v1/objects`, without vectors: `embed` makes the vectors. */
export interface SampleObject {
  class: string;
  id: string;
  tenant?: string;
  properties: Record<string, unknown>;
}

/** In the form of `POST /v1/schema`. */
export interface SampleClass {
  class: string;
  properties: SampleProperty[];
  moduleConfig?: unknown;
  vectorConfig?: Record<string, { vectorizer: Record<string, { properties?: string[] }> }>;
  multiTenancyConfig?: { enabled: boolean };
  [setting: string]: unknown;
}

interface SampleProperty {
  name: string;
  dataType: string[];
  moduleConfig?: Record<string, { skip?: boolean }>;
  [setting: string]: unknown;
}

export const sampleClasses: SampleClass[] = schema.classes;

/** An object comes after the objects that it refers to, since Weaviate refuses a reference to a missing object. */
export const sampleObjects: SampleObject[] = [...missions, ...species, ...inventions, ...museumNotes];
