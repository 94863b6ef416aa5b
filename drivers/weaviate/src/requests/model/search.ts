/** A search, without the page around it. */
export type Search =
  | ({ kind: 'nearText'; text: string } & Near)
  | ({ kind: 'nearVector'; vector: number[] } & Near)
  | ({ kind: 'nearObject'; id: string } & Near)
  | ({ kind: 'keyword'; query: string } & Words)
  | ({
      kind: 'hybrid';
      query: string;
      /** 0 is keywords only, 1 is vectors only. */
      alpha: number;
      vector: number[] | undefined;
      fusion: Fusion | undefined;
      maxDistance: number | undefined;
      targets: Targets | undefined;
    } & Words);

interface Near {
  distance: number | undefined;
  targets: Targets | undefined;
}

interface Words {
  /** With weights: `title^3`. Undefined means every searchable property. */
  properties: string[] | undefined;
  /** An object must have every word of the query. */
  allWords: boolean;
}

export type Fusion = 'relativeScoreFusion' | 'rankedFusion';

export interface Targets {
  names: string[];
  join?: { method: Join; weights?: { name: string; weight: number }[] };
}

export type Join = 'minimum' | 'average' | 'sum' | 'manualWeights' | 'relativeScore';
