import type { Json } from '@trestle/driver-kit';
import type { Property } from '../../schema.ts';
import type { Where } from './where.ts';

/** Counts the objects in groups, and measures properties in each group. */
export interface AggregateQuery {
  where: Where | null;
  /** Without it, all objects are one group. */
  by?: Property | undefined;
  /** The most groups, those with the most objects. */
  groups: number;
  measured: { property: Property; members: Member[] }[];
}

export const numberMembers = ['count', 'sum', 'mean', 'minimum', 'maximum'] as const;

export type Member = (typeof numberMembers)[number] | 'topOccurrences' | 'totalTrue' | 'totalFalse';

export interface FoundAggregate {
  /** The value of the group. Null without groups. */
  value: Json;
  objects: number;
  /** By property. A member that the server leaves out has no value in this group. */
  values: Map<
    string,
    Partial<Record<Exclude<Member, 'topOccurrences'>, number | bigint | string>> & {
      topOccurrences?: TopOccurrence[];
    }
  >;
}

export interface TopOccurrence {
  value: string;
  occurs: number;
}

/** How many of the most frequent texts the server sends. */
export const topOccurrences = 5;
