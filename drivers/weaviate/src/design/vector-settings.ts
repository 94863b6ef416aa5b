import type { DesignCondition, DesignField, DesignValue, Later } from '@trestle/driver-kit';
import { isRecord } from '../answer-shape.ts';
import { distances } from '../vector-structure.ts';
import { isSince, type KnownServer } from './known-server.ts';
import { type Change, type Config, type Setting, settingAt, valueAt, withValue } from './setting.ts';

const own = 'none';

/** The settings of a vector, in the form of a member of `vectorConfig`. The first is its name. */
export function vectorSettings(server: KnownServer): Setting[] {
  return [
    settingAt(['name'], {
      ...{ id: 'name', label: 'Name', type: 'text', default: '', placeholder: 'default', later: 'copy' },
    }),
    ...makerSettings(server),
    {
      field: {
        ...{ id: 'distance', label: 'Distance', type: 'choice', default: 'cosine', later: 'copy' },
        choices: Object.entries(distances).map(([value, label]) => ({ value, label })),
      },
      read: (config) => textAt(config, 'distance') ?? textAt(config, 'hnsw', 'distance'),
      write: (config, value) => indexWith(config, ['distance'], value),
    },
    settingAt(['vectorIndexType'], {
      ...{ id: 'index', label: 'Index', type: 'choice', default: 'hnsw', later: 'copy' },
      choices: [
        { value: 'hnsw', label: 'HNSW', help: 'Fast, in memory, finds nearly all of the nearest rows.' },
        {
          value: 'flat',
          label: 'Flat',
          help: 'Compares every vector. Good for few rows, or many small tenants.',
        },
        {
          value: 'dynamic',
          label: 'Dynamic',
          help: 'Flat at first, HNSW from a number of rows on. The server must index in the background (ASYNC_INDEXING).',
        },
        ...(isSince(server, 39)
          ? [
              {
                value: 'hfresh',
                label: 'HFresh',
                help: 'On disk, for many vectors with little memory. A preview of Weaviate.',
              },
            ]
          : []),
      ],
    }),
    compression(server),
    rescoreLimit(),
    ...indexSettings(),
  ];
}

/** Which module makes the vector, from which properties. */
function makerSettings({ vectorizers }: KnownServer): Setting[] {
  const isMade = [{ field: 'maker', oneOf: vectorizers }];
  return [
    {
      field: {
        ...{ id: 'maker', label: 'Made by', type: 'choice', default: own, later: 'copy' },
        choices: [
          { value: own, label: 'No module: it is sent with the row' },
          ...vectorizers.map((value) => ({ value, label: value })),
        ],
      },
      read: makerOf,
      write: (config, value) => ({ ...config, vectorizer: { [String(value)]: {} } }),
    },
    {
      field: {
        ...{ id: 'sources', label: 'From', type: 'items', part: 'properties', default: [], later: 'copy' },
        ...{ help: 'Without a choice: every text property.', visibleWhen: isMade },
      },
      read: (config) => valueAt(makerConfig(config), ['properties']) as string[] | undefined,
      write: (config, value) => withMaker(config, { ...makerConfig(config), properties: value as string[] }),
    },
    {
      field: {
        ...{ id: 'module', label: 'Settings of the module', type: 'json', default: '{}', later: 'copy' },
        ...{ help: 'For example {"model": "…"}. Without it, the module chooses.', visibleWhen: isMade },
        advanced: true,
      },
      read(config) {
        const { properties: _, ...settings } = makerConfig(config);
        return JSON.stringify(settings);
      },
      write(config, value) {
        const { properties } = makerConfig(config);
        const settings: unknown = JSON.parse(String(value));
        return withMaker(config, { ...(settings as Config), ...(properties && { properties }) });
      },
    },
  ];
}

function makerOf({ vectorizer }: Config): string | undefined {
  return isRecord(vectorizer) ? Object.keys(vectorizer)[0] : undefined;
}

function makerConfig(config: Config): Config {
  const settings = valueAt(config, ['vectorizer', makerOf(config) ?? own]);
  return isRecord(settings) ? settings : {};
}

function withMaker(config: Config, settings: Config): Config {
  return { ...config, vectorizer: { [makerOf(config) ?? own]: settings } };
}

const ofHnsw: DesignCondition[] = [{ field: 'index', oneOf: ['hnsw'] }];

interface Compression {
  value: string;
  /** The member of the settings of the index. */
  key: string;
  bits?: number;
  /** The minor version that has it, for an HNSW index. */
  since: number;
  flatSince?: number;
  label: string;
  help: string;
}

const kinds: Compression[] = [
  {
    ...{ value: 'rq8', key: 'rq', bits: 8, since: 32, flatSince: 39, label: 'Rotational, 8 bits (RQ)' },
    help: 'A quarter of the memory. Searches find nearly the same rows.',
  },
  {
    ...{ value: 'rq1', key: 'rq', bits: 1, since: 33, flatSince: 39, label: 'Rotational, 1 bit (RQ)' },
    help: 'About 1/32 of the memory. Searches may miss some of the nearest rows.',
  },
  {
    ...{ value: 'sq', key: 'sq', since: 26, label: 'Scalar (SQ)' },
    help: 'A quarter of the memory. Searches find nearly the same rows.',
  },
  {
    ...{ value: 'pq', key: 'pq', since: 20, label: 'Product (PQ)' },
    help: 'Less memory. The server learns from the rows first, and takes no writes meanwhile.',
  },
  {
    ...{ value: 'bq', key: 'bq', since: 24, flatSince: 24, label: 'Binary (BQ)' },
    help: '1/32 of the memory. Searches may miss many of the nearest rows, if a vector has few numbers.',
  },
];

/** The server trains on the vectors that exist. Writes fail meanwhile. */
const pauses: Record<string, string> = {
  pq: 'Writes fail while the server learns from the rows: seconds to minutes.',
  sq: 'Writes fail for a moment.',
  rq8: 'Writes fail for a moment.',
  rq1: 'Writes fail for a moment.',
};

function compression(server: KnownServer): Setting {
  const field: DesignField = {
    ...{ id: 'compression', label: 'Compression', type: 'choice', default: own, later: 'now' },
    visibleWhen: [{ field: 'index', oneOf: ['hnsw', 'flat'] }],
    choices: [
      { value: own, label: 'None', help: 'All of the memory, and exact distances.' },
      ...kinds
        .filter(({ since }) => isSince(server, since))
        .map(({ value, label, help, flatSince }) => ({
          ...{ value, label, help },
          ...(!(flatSince && isSince(server, flatSince)) && { visibleWhen: ofHnsw }),
        })),
    ],
  };
  return {
    field,
    read: compressionOf,
    write(config, value) {
      const off = kinds
        .filter(({ key }) => valueAt(config, ['vectorIndexConfig', key, 'enabled']) === true)
        .reduce((made, { key }) => indexWith(made, [key, 'enabled'], false), config);
      const kind = kinds.find((one) => one.value === value);
      if (!kind) return off;
      const bits: Config = kind.bits === undefined ? {} : { bits: kind.bits };
      const before = valueAt(off, ['vectorIndexConfig', kind.key]);
      return indexWith(off, [kind.key], { ...(isRecord(before) ? before : {}), enabled: true, ...bits });
    },
    change(from, to, { index }): Change {
      if (index !== 'hnsw') return { later: 'copy' };
      if (from === own)
        return {
          later: 'now',
          cost: `${pauses[String(to)] ?? ''} The loss of accuracy begins at once.`.trim(),
        };
      if (to !== own) return { later: 'copy' };
      return {
        later: 'now',
        cost: 'The index stays compressed until the server is restarted.',
        undo: 'Turn the compression on again.',
      };
    },
  };
}

function compressionOf(config: Config): string | undefined {
  const on = kinds.find(({ key, bits }) => {
    const at = valueAt(config, ['vectorIndexConfig', key]);
    return isRecord(at) && at.enabled === true && (bits === undefined || at.bits === bits);
  });
  return on?.value;
}

/** How many candidates are compared again without compression. */
function rescoreLimit(): Setting {
  const path = (config: Config) => {
    const kind = kinds.find(({ value }) => value === compressionOf(config));
    return [kind?.key ?? own, 'rescoreLimit'];
  };
  return {
    field: {
      ...{
        id: 'rescoreLimit',
        label: 'Compared again',
        type: 'number',
        default: 20,
        whole: true,
        later: 'now',
      },
      help: 'So many candidates are compared again without compression. More finds more, and takes longer.',
      visibleWhen: [{ field: 'compression', oneOf: ['sq', 'rq8', 'rq1'] }],
      advanced: true,
    },
    read(config) {
      const found = valueAt(config, ['vectorIndexConfig', ...path(config)]);
      return typeof found === 'number' ? found : undefined;
    },
    write: (config, value) => indexWith(config, path(config), value),
  };
}

function indexSettings(): Setting[] {
  const number = (
    name: string,
    label: string,
    {
      later = 'now',
      ...more
    }: { default: number; min: number; help?: string; later?: Later; visibleWhen?: DesignCondition[] },
  ) =>
    settingAt(['vectorIndexConfig', name], {
      ...{ id: name, label, type: 'number', whole: true, visibleWhen: ofHnsw, advanced: true, later },
      ...more,
    });
  return [
    number('ef', 'ef', {
      default: -1,
      min: -1,
      help: 'How many candidates a search looks at. -1: the server chooses by the number of results.',
    }),
    number('dynamicEfMin', 'Least ef', { default: 100, min: 1 }),
    number('dynamicEfMax', 'Highest ef', { default: 500, min: 1 }),
    number('dynamicEfFactor', 'ef for each result', { default: 8, min: 1 }),
    number('flatSearchCutoff', 'Compare all below', {
      default: 40_000,
      min: 0,
      help: 'If a filter leaves fewer rows, the search compares each of them.',
    }),
    number('efConstruction', 'efConstruction', {
      default: 128,
      min: 4,
      help: 'More makes a better index, and slower writes.',
      later: 'copy',
    }),
    number('maxConnections', 'Links of a row', {
      default: 32,
      min: 2,
      help: 'More makes a better index, and needs more memory.',
      later: 'copy',
    }),
    settingAt(['vectorIndexConfig', 'skip'], {
      ...{ id: 'skip', label: 'No index', type: 'boolean', default: false, later: 'now', advanced: true },
      ...{ help: 'Searches by this vector do not run.', visibleWhen: ofHnsw },
    }),
  ];
}

function textAt(config: Config, ...path: string[]): DesignValue | undefined {
  const found = valueAt(config, ['vectorIndexConfig', ...path]);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function indexWith(config: Config, path: string[], value: DesignValue | Config): Config {
  return withValue(config, ['vectorIndexConfig', ...path], value);
}
