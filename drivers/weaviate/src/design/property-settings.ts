import type { Later } from '@trestle/driver-kit';
import type { Tokenization } from '../schema.ts';
import { splitWords } from '../tokens.ts';
import { isSince, type KnownServer } from './known-server.ts';
import { type Change, type Config, type Setting, settingAt } from './setting.ts';

/** The type of a cross-reference. The server names the collections in place of a type. */
export const reference = 'reference';

/** A property of these types has properties of its own. */
export const nestedTypes = ['object', 'object[]'];

const textTypes = ['text', 'text[]'];
const unfiltered = new Set([reference, ...nestedTypes, 'blob']);
const rangeTypes = ['int', 'number', 'date'];

const types: [value: string, label: string][] = [
  ['text', 'Text'],
  ['int', 'Integer'],
  ['number', 'Number'],
  ['boolean', 'Boolean'],
  ['date', 'Date'],
  ['uuid', 'UUID'],
  ['object', 'Object'],
  ['text[]', 'Texts'],
  ['int[]', 'Integers'],
  ['number[]', 'Numbers'],
  ['boolean[]', 'Booleans'],
  ['date[]', 'Dates'],
  ['uuid[]', 'UUIDs'],
  ['object[]', 'Objects'],
  ['geoCoordinates', 'Place on the earth'],
  ['phoneNumber', 'Phone number'],
  ['blob', 'Bytes (blob)'],
  [reference, 'Reference to other rows'],
];

/** The settings of a property. The first is its name. */
export function propertySettings(server: KnownServer): Setting[] {
  const isText = [{ field: 'type', oneOf: textTypes }];
  const isFiltered = [
    { field: 'type', oneOf: types.map(([value]) => value).filter((one) => !unfiltered.has(one)) },
  ];
  const index = indexChange(server);
  const later: Later = isSince(server, 39) ? 'task' : 'copy';
  return [
    settingAt(['name'], {
      ...{ id: 'name', label: 'Name', type: 'text', default: '', later: 'copy' },
    }),
    {
      field: {
        ...{ id: 'type', label: 'Type', type: 'choice', default: 'text', later: 'copy' },
        choices: types.map(([value, label]) => ({ value, label })),
      },
      read: (config) => (isReference(config) ? reference : typesOf(config)[0]),
      write: (config, value) => (value === reference ? config : { ...config, dataType: [String(value)] }),
    },
    {
      field: {
        ...{ id: 'targets', label: 'Refers to', type: 'tables', default: [], later: 'copy' },
        visibleWhen: [{ field: 'type', oneOf: [reference] }],
      },
      read: (config) => (isReference(config) ? typesOf(config) : undefined),
      write: (config, value) => ({ ...config, dataType: value as string[] }),
    },
    settingAt(['tokenization'], {
      ...{ id: 'tokenization', label: 'How text is split', type: 'choice', default: 'word', later },
      visibleWhen: isText,
      choices: tokenizations(server).map((value) => ({ value, label: splitWords(value) })),
    }),
    settingAt(
      ['indexFilterable'],
      {
        ...{ id: 'filterable', label: 'Filterable', type: 'boolean', default: true, later },
        visibleWhen: isFiltered,
      },
      { change: index },
    ),
    settingAt(
      ['indexSearchable'],
      {
        ...{ id: 'searchable', label: 'Searchable', type: 'boolean', default: true, later },
        ...{ help: 'Keyword and hybrid searches look here.', visibleWhen: isText },
      },
      { change: index },
    ),
    settingAt(
      ['indexRangeFilters'],
      {
        ...{ id: 'range', label: 'Range', type: 'boolean', default: false, later },
        help: 'Filters such as "greater than" are faster with their own index.',
        visibleWhen: [{ field: 'type', oneOf: rangeTypes }],
      },
      { change: index },
    ),
    settingAt(['description'], {
      ...{ id: 'description', label: 'Description', type: 'text', default: '', later: 'now' },
    }),
  ];
}

/** An index of a property that is removed is gone at once. */
function indexChange(server: KnownServer): NonNullable<Setting['change']> {
  return (_from, to): Change => {
    if (isSince(server, 39)) {
      return {
        later: to === true ? 'task' : 'now',
        ...(to === true
          ? { cost: 'The server reads every row once. Reads and writes go on.', undo: 'Remove the index.' }
          : {
              cost: 'Filters and searches that need the index fail from then on.',
              undo: 'Make the index again: the server then reads every row.',
            }),
      };
    }
    const isRemoval = to === false && isSince(server, 36);
    if (!isRemoval) return { later: 'copy' };
    return { later: 'now', cost: 'Filters and searches that need the index fail from then on.' };
  };
}

/** The tokenizers for Chinese, Japanese and Korean need a setting of the server. It says so if it is missing. */
function tokenizations(server: KnownServer): Tokenization[] {
  const more: Tokenization[] = isSince(server, 28) ? ['gse_ch', 'kagome_ja'] : [];
  return ['word', 'lowercase', 'whitespace', 'field', 'trigram', 'gse', ...more, 'kagome_kr'];
}

export function isReference(config: Config): boolean {
  return /^[A-Z]/.test(typesOf(config)[0] ?? '');
}

function typesOf({ dataType }: Config): string[] {
  return Array.isArray(dataType) ? dataType.map(String) : [];
}
