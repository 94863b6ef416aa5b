import { type Design, type DesignItem, DriverError, type Json } from '@trestle/driver-kit';
import { isRecord } from '../answer-shape.ts';
import { collectionSettings } from './collection-settings.ts';
import type { KnownServer } from './known-server.ts';
import { nestedTypes, propertySettings } from './property-settings.ts';
import { type Config, readSettings, type Setting, valueAt, writeSettings } from './setting.ts';
import { vectorSettings } from './vector-settings.ts';

/** All settings that the form shows. */
export interface Settings {
  collection: Setting[];
  property: Setting[];
  vector: Setting[];
}

export function settingsOf(server: KnownServer): Settings {
  return {
    collection: collectionSettings(server).flatMap(({ settings }) => settings),
    property: propertySettings(server),
    vector: vectorSettings(server),
  };
}

/** The definition of a collection as a design. */
export function designOf(definition: Config, settings: Settings): Design {
  return {
    name: String(definition.class ?? ''),
    fields: readSettings(settings.collection, definition),
    parts: {
      properties: recordsIn(definition.properties).map((one) => propertyOf(one, settings)),
      vectors: vectorsIn(definition).map((one) => ({ fields: readSettings(settings.vector, one) })),
    },
    definition: JSON.stringify(definition),
  };
}

function propertyOf(config: Config, settings: Settings): DesignItem {
  const fields = readSettings(settings.property, config);
  const nested = recordsIn(config.nestedProperties).map((one) => propertyOf(one, settings));
  return { fields, ...(nestedTypes.includes(String(fields.type)) && { items: nested }) };
}

/**
 * The vectors in one form, with the name as a member. The unnamed vector has the name '': its settings are those of the
 * collection. A collection has this vector even if it needs none: then no module makes it, and it has no index.
 */
export function vectorsIn(definition: Config): Config[] {
  const named = isRecord(definition.vectorConfig) ? Object.entries(definition.vectorConfig) : [];
  const vectors = named.map(([name, config]) => ({ ...(config as Config), name }));
  const { vectorizer, vectorIndexType, vectorIndexConfig, moduleConfig } = definition;
  if (named.length > 0 && !vectorizer) return vectors;
  const maker = typeof vectorizer === 'string' && vectorizer !== '' ? vectorizer : 'none';
  const settings = isRecord(moduleConfig) ? moduleConfig[maker] : undefined;
  if (maker === 'none' && isRecord(vectorIndexConfig) && vectorIndexConfig.skip === true) return vectors;
  const unnamed: Config = {
    name: '',
    vectorizer: { [maker]: settings ?? {} },
    ...(vectorIndexType && { vectorIndexType }),
    ...(vectorIndexConfig && { vectorIndexConfig }),
  };
  return [unnamed, ...vectors];
}

/**
 * A design as the definition of a collection. A setting that has its default is left out, unless the definition that
 * the design came from has it.
 */
export function definitionOf(design: Design, settings: Settings): Config {
  const base = definitionIn({ definition: design.definition ?? '{}' });
  const made = writeSettings(settings.collection, { ...base, class: design.name }, design.fields);
  const properties = design.parts.properties?.map((item) =>
    propertyConfig(item, recordsIn(base.properties), settings),
  );
  return withVectors(properties ? { ...made, properties } : made, design.parts.vectors ?? [], settings);
}

/** The server sends the shards of a collection with tenants, and refuses them in a request that makes a collection. */
export function withoutShards({ shardingConfig, ...definition }: Config): Config {
  const hasTenants = valueAt(definition, ['multiTenancyConfig', 'enabled']) === true;
  return hasTenants || shardingConfig === undefined ? definition : { ...definition, shardingConfig };
}

export function propertyConfig(item: DesignItem, before: Config[], settings: Settings): Config {
  const known = before.find(({ name }) => name === item.fields.name);
  const start = known ?? { name: String(item.fields.name), dataType: ['text'] };
  const made = writeSettings(settings.property, start, item.fields);
  if (!item.items) return made;
  const inner = recordsIn(known?.nestedProperties);
  return { ...made, nestedProperties: item.items.map((one) => propertyConfig(one, inner, settings)) };
}

function withVectors(definition: Config, items: DesignItem[], settings: Settings): Config {
  const before = vectorsIn(definition);
  const { vectorConfig: _, ...rest } = definition;
  // Without `vectorizer`, the server may choose a module.
  if (items.length === 0) return { ...rest, vectorizer: 'none', vectorIndexConfig: { skip: true } };
  let made: Config = rest;
  const named: Config = {};
  for (const item of items) {
    const name = String(item.fields.name ?? '');
    const known = before.find((one) => one.name === name);
    const start = known ?? { name, vectorizer: { none: {} }, vectorIndexType: 'hnsw' };
    const { name: _name, ...config } = writeSettings(settings.vector, start, item.fields);
    if (name === '') made = withUnnamed(made, config);
    else named[name] = config;
  }
  return Object.keys(named).length > 0 ? { ...made, vectorConfig: named } : made;
}

function withUnnamed(definition: Config, { vectorizer, ...index }: Config): Config {
  const [maker = 'none', settings = {}] = Object.entries(vectorizer as Config)[0] ?? [];
  const moduleConfig = { ...(definition.moduleConfig as Config | undefined), [maker]: settings };
  return {
    ...definition,
    ...index,
    vectorizer: maker,
    ...(maker !== 'none' && { moduleConfig }),
  };
}

/** A definition as JSON text. Throws if the text is no JSON object. */
export function definitionIn({ definition }: { definition: string }): Config {
  let found: Json;
  try {
    found = JSON.parse(definition) as Json;
  } catch (error) {
    throw invalid(`The definition is not JSON: ${(error as Error).message}`);
  }
  if (!isRecord(found)) throw invalid('The definition is not a JSON object');
  return found;
}

function invalid(message: string): DriverError {
  return new DriverError({ code: 'invalid_argument', message });
}

export function recordsIn(value: Json | undefined): Config[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
