import type { Json, StructureSection } from '@trestle/driver-kit';

type Fact = [name: string, value: string | undefined];

/** The settings of a collection, or one object inside them, as the server sends them. */
export type Definition = { [name: string]: Json | undefined };

export function facts(title: string, all: Fact[], aside = false): StructureSection {
  const known = all.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return { title, kind: 'facts', facts: known, ...(aside && { aside }) };
}

export function member(of: Definition, name: string): Definition {
  const value = of[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Definition) : {};
}
