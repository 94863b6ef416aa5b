import type { Json } from '@trestle/driver-kit';
import {
  fromJson,
  GenerativeProviderSchema,
  type GenerativeSearchSchema,
  type JsonValue,
  type MessageInitShape,
  type RerankSchema,
} from '@trestle/weaviate-connect';
import type { Collection } from '../schema.ts';
import { foldCase } from '../strict-json.ts';
import { argumentsOf, type Selected } from './read-fields.ts';
import { mistake, noCounterpart } from './refusal.ts';
import { EnumWord, Given, type Value } from './values.ts';

/** The one member of this name. Connect does the work of such a member once for each object. */
export function onlyMember(additional: Selected[], name: string): Selected | undefined {
  const [first, second] = additional.flatMap(({ fields }) => fields.filter((one) => one.name === name));
  if (second) throw noCounterpart(`Two members ${name} of _additional`);
  return first;
}

export function rerankOf(member: Selected): MessageInitShape<typeof RerankSchema> {
  const given = argumentsOf(member);
  const property = given.text('property');
  const query = given.text('query');
  given.end();
  if (property === undefined) throw mistake('"rerank" needs property');
  if (member.fields.some(({ name }) => name !== 'score')) throw mistake('"rerank" has only the member score');
  return { property, ...(query !== undefined && { query }) };
}

const generated = ['singleResult', 'groupedResult', 'error'];

export function generativeOf(
  member: Selected,
  { properties }: Collection,
): MessageInitShape<typeof GenerativeSearchSchema> {
  const other = member.fields.find(({ name }) => !generated.includes(name));
  if (other) throw noCounterpart(`generate { ${other.name} }`);
  const given = argumentsOf(member);
  const single = given.inner('singleResult');
  const grouped = given.inner('groupedResult');
  given.end();
  if (!single && !grouped) throw mistake('"generate" needs singleResult or groupedResult');
  const objects = properties.filter(({ elementType }) => elementType === 'object').map(({ name }) => name);
  return {
    ...(single && { single: singleOf(single, objects) }),
    ...(grouped && { grouped: groupedOf(grouped, objects) }),
  };
}

/** Over Connect, the server cannot give an object to a generative model, and refuses the request. */
function assertNoObject(name: string | undefined, member: string): void {
  if (name === undefined) return;
  throw noCounterpart(
    `${member} with the object property "${name}"`,
    member === 'groupedResult' ? 'Name the other properties in "properties" of groupedResult.' : undefined,
  );
}

function singleOf(given: Given, objects: string[]) {
  const prompt = given.text('prompt');
  if (prompt === undefined) throw mistake('"singleResult" needs prompt');
  assertNoObject(
    objects.find((name) => prompt.includes(`{${name}}`)),
    'singleResult',
  );
  return { prompt, debug: given.flag('debug') ?? false, queries: providersOf(given, ['prompt', 'debug']) };
}

function groupedOf(given: Given, objects: string[]) {
  const task = given.text('task');
  const properties = given.texts('properties');
  if (task === undefined) throw mistake('"groupedResult" needs task');
  // Without "properties", the model gets all properties.
  assertNoObject(
    objects.find((name) => !properties || properties.includes(name)),
    'groupedResult',
  );
  return {
    task,
    ...(properties && { properties: { values: properties } }),
    debug: given.flag('debug') ?? false,
    queries: providersOf(given, ['task', 'properties', 'debug']),
  };
}

/** The settings of a provider. The message definition decides which there are, and refuses any other. */
function providersOf(given: Given, known: string[]) {
  return given.names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const provider = GenerativeProviderSchema.fields.find((one) => one.oneof && one.jsonName === name);
      if (provider?.fieldKind !== 'message') throw noCounterpart(`generate with ${name}`);
      const settings = new Given(name, given.value(name));
      const json = Object.fromEntries(
        settings.names.map((setting) => {
          const field = provider.message.fields.find((one) => foldCase(one.jsonName) === foldCase(setting));
          if (!field) throw noCounterpart(`"${setting}" of ${name}`);
          const isList = field.fieldKind === 'message';
          const value = plain(isList ? settings.list(setting) : settings.value(setting));
          return [field.jsonName, isList ? { values: value } : value] as const;
        }),
      );
      try {
        return fromJson(GenerativeProviderSchema, { [name]: json } as JsonValue);
      } catch {
        throw mistake(`A setting of ${name} has a value of another type`);
      }
    });
}

function plain(value: Value | undefined): Json {
  if (value instanceof EnumWord) return value.word;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) throw mistake('A setting of generate is no object');
  return value ?? null;
}
