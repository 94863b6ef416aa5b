import {
  amount,
  type Design,
  type DesignItem,
  type DesignProblem,
  type DesignValue,
} from '@trestle/driver-kit';
import { isRecord } from '../answer-shape.ts';
import type { Settings } from './definition.ts';
import { nestedTypes, reference } from './property-settings.ts';
import { defaultsOf, isShown, type Setting } from './setting.ts';

interface Names {
  /** The collections of the server. */
  collections: string[];
  aliases: string[];
}

/** Why the server would refuse this design, or take something else than it says. */
export function problemsOf(
  design: Design,
  { settings, names, table }: { settings: Settings; names: Names; table: string | undefined },
): DesignProblem[] {
  const { properties = [], vectors = [] } = design.parts;
  return [
    ...(table === undefined ? nameProblems(design.name, names) : []),
    ...valueProblems(settings.collection, design.fields, {}),
    ...stopwordProblems(design.fields),
    ...itemProblems(properties, 'properties', settings.property),
    ...itemProblems(vectors, 'vectors', settings.vector),
    ...properties.flatMap((item, index) => propertyProblems(item, [index], settings)),
    ...referenceProblems(properties, [...names.collections, design.name]),
    ...vectorProblems(vectors, properties),
  ];
}

function nameProblems(name: string, { collections, aliases }: Names): DesignProblem[] {
  const field = 'name';
  if (name === '') return [{ field, problem: 'Give the collection a name.' }];
  if (!/^[A-Z][_0-9A-Za-z]{0,254}$/.test(name)) {
    return [
      {
        field,
        problem: 'A name starts with a capital letter. Letters, digits and _ may follow, at most 255 in all.',
      },
    ];
  }
  const isSame = (one: string) => one.toLowerCase() === name.toLowerCase();
  const taken = collections.find(isSame);
  if (taken !== undefined) return [{ field, problem: `The collection ${taken} exists already.` }];
  const alias = aliases.find(isSame);
  return alias === undefined ? [] : [{ field, problem: `The name is taken by the alias ${alias}.` }];
}

function stopwordProblems({ moreStopwords = [], fewerStopwords = [] }: Design['fields']): DesignProblem[] {
  const both = (fewerStopwords as string[]).filter((word) => (moreStopwords as string[]).includes(word));
  if (both.length === 0) return [];
  return [{ field: 'fewerStopwords', problem: `${both.join(', ')}: a word cannot be in both lists.` }];
}

function itemProblems(items: DesignItem[], part: string, settings: Setting[]): DesignProblem[] {
  return items.flatMap(({ fields }, index) => valueProblems(settings, fields, { part, item: [index] }));
}

type Place = Pick<DesignProblem, 'part' | 'item'>;

function valueProblems(
  settings: Setting[],
  values: Record<string, DesignValue>,
  place: Place,
): DesignProblem[] {
  const given = { ...defaultsOf(settings), ...values };
  return settings.flatMap(({ field }) => {
    const value = given[field.id]!;
    const problem = isShown(field, given)
      ? (valueProblem(field, value) ?? choiceProblem(field, given))
      : undefined;
    return problem === undefined ? [] : [{ ...place, field: field.id, problem }];
  });
}

function valueProblem(field: Setting['field'], value: DesignValue): string | undefined {
  const { label } = field;
  switch (field.type) {
    case 'text':
    case 'choice':
      return typeof value === 'string' ? undefined : `${label} must be text.`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${label} must be true or false.`;
    case 'texts':
    case 'items':
    case 'tables':
      return Array.isArray(value) && value.every((one) => typeof one === 'string')
        ? undefined
        : `${label} must be a list.`;
    case 'json':
      return isJsonObject(value) ? undefined : `${label} must be a JSON object.`;
    case 'number': {
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, whole } = field;
      if (typeof value !== 'number' || !Number.isFinite(value)) return `${label} must be a number.`;
      if (whole && !Number.isSafeInteger(value)) return `${label} must be a whole number.`;
      if (value < min) return `${label} must be at least ${min}.`;
      return value > max ? `${label} must be at most ${max}.` : undefined;
    }
  }
}

/** The server itself refuses a value that the form does not know. */
function choiceProblem(field: Setting['field'], values: Record<string, DesignValue>): string | undefined {
  if (field.type !== 'choice') return undefined;
  const choice = field.choices.find(({ value }) => value === values[field.id]);
  return !choice || isShown(choice, values)
    ? undefined
    : `${field.label}: ${choice.label} is not possible here.`;
}

function isJsonObject(value: DesignValue): boolean {
  try {
    return isRecord(JSON.parse(String(value)));
  } catch {
    return false;
  }
}

/** Weaviate's own names: a property with such a name is refused, or cannot be queried. */
const reserved = new Set(['id', 'vector', '_id', '_additional']);

function propertyProblems(item: DesignItem, at: number[], settings: Settings): DesignProblem[] {
  const place = { part: 'properties', item: at };
  const name = String(item.fields.name ?? '');
  const isTop = at.length === 1;
  const problems: DesignProblem[] = [];
  if (name === '') problems.push({ ...place, field: 'name', problem: 'Give the property a name.' });
  else if (!/^[_A-Za-z][_0-9A-Za-z]{0,230}$/.test(name))
    problems.push({
      ...place,
      field: 'name',
      problem: 'A name starts with a letter or _. Letters, digits and _ may follow.',
    });
  else if (isTop && reserved.has(name))
    problems.push({ ...place, field: 'name', problem: `Weaviate itself uses the name ${name}.` });
  const { type } = item.fields;
  if (!isTop && type === reference)
    problems.push({ ...place, field: 'type', problem: 'A property of an object cannot be a reference.' });
  if (nestedTypes.includes(String(type)) && (item.items ?? []).length === 0)
    problems.push({ ...place, problem: `${name || 'An object'} needs a property of its own.` });
  const inner = (item.items ?? []).flatMap((one, index) => [
    ...valueProblems(settings.property, one.fields, { part: 'properties', item: [...at, index] }),
    ...propertyProblems(one, [...at, index], settings),
  ]);
  return [...problems, ...repeated(item.items ?? [], at, 'properties'), ...inner];
}

function repeated(items: DesignItem[], above: number[], part: string): DesignProblem[] {
  const names = items.map(({ fields }) => String(fields.name ?? '').toLowerCase());
  return names.flatMap((name, index) =>
    name !== '' && names.indexOf(name) < index
      ? [
          {
            part,
            item: [...above, index],
            field: 'name',
            problem: `Two have the name ${String(items[index]!.fields.name)}.`,
          },
        ]
      : [],
  );
}

function referenceProblems(properties: DesignItem[], collections: string[]): DesignProblem[] {
  const problems = properties.flatMap(({ fields }, index): DesignProblem[] => {
    if (fields.type !== reference) return [];
    const place = { part: 'properties', item: [index], field: 'targets' };
    const targets = (fields.targets ?? []) as string[];
    if (targets.length === 0) return [{ ...place, problem: 'Choose the collection that it refers to.' }];
    const unknown = targets.filter((one) => !collections.includes(one));
    return unknown.length === 0
      ? []
      : [{ ...place, problem: `There is no collection ${unknown.join(', ')}.` }];
  });
  return [...repeated(properties, [], 'properties'), ...problems];
}

function vectorProblems(vectors: DesignItem[], properties: DesignItem[]): DesignProblem[] {
  const names = new Set(properties.map(({ fields }) => fields.name));
  const unnamed = vectors.filter(({ fields }) => (fields.name ?? '') === '');
  return [
    ...repeated(vectors, [], 'vectors'),
    ...vectors.flatMap(({ fields }, index): DesignProblem[] => {
      const place = { part: 'vectors', item: [index] };
      const name = String(fields.name ?? '');
      const problems: DesignProblem[] = [];
      if (name !== '' && !/^[_A-Za-z][_0-9A-Za-z]{0,229}$/.test(name))
        problems.push({
          ...place,
          field: 'name',
          problem: 'A name starts with a letter or _. Letters, digits and _ may follow.',
        });
      if (name === '' && unnamed.length > 1)
        problems.push({
          ...place,
          field: 'name',
          problem: `Only one of ${amount(vectors.length, 'vector')} can be without a name.`,
        });
      const missing = ((fields.sources ?? []) as string[]).filter((one) => !names.has(one));
      if (missing.length > 0)
        problems.push({ ...place, field: 'sources', problem: `There is no property ${missing.join(', ')}.` });
      return problems;
    }),
  ];
}
