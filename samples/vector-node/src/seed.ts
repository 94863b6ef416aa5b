import type { ClassDefinition } from './definition.ts';
import type { Embed } from './embed.ts';
import { sampleClasses, sampleObjects } from './sample-data.ts';
import { float32Vector } from './store/float32.ts';
import type { Entry } from './store/journal.ts';
import { vectorTexts } from './vector-texts.ts';

/** The journal entries that create the sample. The vectors are computed once and kept for a reset. */
export function createSeed(embed: Embed): () => Entry[] {
  let entries: Entry[] | undefined;
  return () => {
    entries ??= seedEntries(embed);
    return entries;
  };
}

function seedEntries(embed: Embed): Entry[] {
  const born = Date.parse('2026-01-01T00:00:00Z');
  const classes: Entry[] = sampleClasses.map((definition) => ({
    op: 'addClass',
    class: definition.class,
    definition: definition as unknown as ClassDefinition,
  }));
  const tenants: Entry[] = sampleClasses
    .filter(({ multiTenancyConfig }) => multiTenancyConfig?.enabled)
    .map((definition) => ({
      op: 'putTenants',
      class: definition.class,
      tenants: tenantNames(definition.class).map((name) => ({ name, activityStatus: 'HOT' })),
    }));
  const objects: Entry[] = sampleObjects.map(({ class: className, id, tenant, properties }) => {
    const definition = sampleClasses.find((one) => one.class === className);
    const texts = definition ? vectorTexts(definition, properties) : {};
    return {
      op: 'put',
      class: className,
      ...(tenant && { tenant }),
      id,
      object: {
        properties,
        vectors: Object.entries(texts).map(([name, text]) => [name, float32Vector(embed(text))]),
        createdAt: born,
        updatedAt: born,
      },
    };
  });
  return [...classes, ...tenants, ...objects];
}

function tenantNames(className: string): string[] {
  const names = sampleObjects.flatMap((one) => (one.class === className && one.tenant ? [one.tenant] : []));
  return [...new Set(names)];
}
