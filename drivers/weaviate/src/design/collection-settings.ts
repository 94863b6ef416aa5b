import type { DesignField } from '@trestle/driver-kit';
import { isRecord } from '../answer-shape.ts';
import { isSince, type KnownServer } from './known-server.ts';
import { type Config, type Setting, settingAt, valueAt, withValue } from './setting.ts';

export interface SettingGroup {
  title: string;
  settings: Setting[];
}

const withTenants = [{ field: 'tenants', oneOf: [true] }];

/** The settings of a collection as a whole. */
export function collectionSettings(server: KnownServer): SettingGroup[] {
  return [
    {
      title: 'Collection',
      settings: [
        settingAt(['description'], {
          ...{ id: 'description', label: 'Description', type: 'text', default: '', later: 'now' },
        }),
      ],
    },
    {
      title: 'Tenants',
      settings: [
        settingAt(['multiTenancyConfig', 'enabled'], {
          ...{ id: 'tenants', label: 'Separate rows by tenant', type: 'boolean', default: false },
          help: 'Each tenant has its own rows and indexes. A query always names one tenant.',
          later: 'copy',
        }),
        settingAt(['multiTenancyConfig', 'autoTenantCreation'], {
          ...{ id: 'createsTenants', label: 'A new name makes a tenant', type: 'boolean', default: false },
          help: 'A row for a tenant that does not exist makes this tenant, also for a misspelt name.',
          ...{ visibleWhen: withTenants, later: 'now' },
        }),
        settingAt(['multiTenancyConfig', 'autoTenantActivation'], {
          ...{ id: 'activatesTenants', label: 'A query wakes a tenant', type: 'boolean', default: false },
          help: 'Reading or writing a cold tenant loads it into memory.',
          ...{ visibleWhen: withTenants, later: 'now' },
        }),
      ],
    },
    {
      title: 'Filters and keywords',
      settings: [
        inverted('indexNullState', 'Filter by NULL', 'Without it, the filter "is NULL" does not work.'),
        inverted(
          'indexPropertyLength',
          'Filter by length',
          'Without it, the filter "is empty" does not work.',
        ),
        timestamps(server),
        settingAt(['invertedIndexConfig', 'stopwords', 'preset'], {
          ...{ id: 'stopwords', label: 'Stop words', type: 'choice', default: 'en', later: 'now' },
          help: 'Keyword searches ignore these words.',
          choices: [
            { value: 'en', label: 'English' },
            { value: 'none', label: 'None' },
          ],
        }),
        words('additions', 'moreStopwords', 'More stop words'),
        words('removals', 'fewerStopwords', 'Not stop words'),
        ranking('k1', 'How much each further occurrence of a word counts.', { default: 1.2 }),
        ranking('b', 'How much a long text counts less.', { default: 0.75, max: 1 }),
      ],
    },
    {
      title: 'Copies',
      settings: [
        settingAt(['replicationConfig', 'factor'], {
          ...{ id: 'copies', label: 'Copies', type: 'number', default: 1, min: 1, whole: true },
          help: 'The number of nodes that have each row.',
          later: 'copy',
        }),
        settingAt(['replicationConfig', 'asyncEnabled'], {
          ...{ id: 'repairs', label: 'Repair in the background', type: 'boolean', default: false },
          ...{ later: 'now', advanced: true },
          help: 'Only for two copies or more.',
        }),
        settingAt(['replicationConfig', 'deletionStrategy'], {
          ...{ id: 'deletions', label: 'Deletions', type: 'choice', later: 'now', advanced: true },
          help: 'Which copy wins if one has deleted a row and another has changed it.',
          default: isSince(server, 28) ? 'TimeBasedResolution' : 'NoAutomatedResolution',
          choices: [
            { value: 'NoAutomatedResolution', label: 'Not resolved' },
            { value: 'DeleteOnConflict', label: 'The deletion' },
            { value: 'TimeBasedResolution', label: 'The later one' },
          ],
        }),
        settingAt(['shardingConfig', 'desiredCount'], {
          ...{ id: 'shards', label: 'Shards', type: 'number', default: 1, min: 1, whole: true },
          ...{ visibleWhen: [{ field: 'tenants', oneOf: [false] }], later: 'copy', advanced: true },
        }),
      ],
    },
    {
      title: 'Modules',
      settings: [
        ...module('generative', 'Answers by', server.generative),
        ...module('reranker', 'Ranked again by', server.rerankers),
      ],
    },
  ].filter(({ settings }) => settings.length > 0) as SettingGroup[];
}

function inverted(name: string, label: string, help: string): Setting {
  return settingAt(['invertedIndexConfig', name], {
    ...{ id: name, label, help, type: 'boolean', default: false, later: 'copy' },
  });
}

function timestamps(server: KnownServer): Setting {
  const help = 'Without it, rows cannot be filtered by the time of their creation or change.';
  const setting = inverted('indexTimestamps', 'Filter by time', help);
  if (isSince(server, 28)) return setting;
  // The server accepts the change. From then on every write fails, until it is taken back.
  return { ...setting, change: () => ({ later: 'copy' }) };
}

/** If a definition has one of the two numbers, the server takes 0 for the other. */
function ranking(name: 'k1' | 'b', help: string, more: { default: number; max?: number }): Setting {
  const path = ['invertedIndexConfig', 'bm25'];
  return settingAt(
    [...path, name],
    {
      ...{ id: name, label: `BM25 ${name}`, type: 'number', min: 0, later: 'now', advanced: true, help },
      ...more,
    },
    {
      write(config, value) {
        const given = valueAt(config, path);
        const both = isRecord(given) ? given : { k1: 1.2, b: 0.75 };
        return withValue(config, path, { ...both, [name]: value as number });
      },
    },
  );
}

function words(name: string, id: string, label: string): Setting {
  return settingAt(['invertedIndexConfig', 'stopwords', name], {
    ...{ id, label, type: 'texts', default: [], later: 'now', advanced: true },
  });
}

/** `moduleConfig` names modules as keys. A collection uses at most one of each kind. */
function module(kind: string, label: string, names: string[]): Setting[] {
  if (names.length === 0) return [];
  const current = (config: Config) => {
    const modules = config.moduleConfig;
    return isRecord(modules) ? Object.keys(modules).find((name) => name.startsWith(`${kind}-`)) : undefined;
  };
  const field: DesignField = {
    ...{ id: kind, label, type: 'choice', default: '', later: 'now' },
    choices: [{ value: '', label: 'No module' }, ...names.map((name) => ({ value: name, label: name }))],
  };
  return [
    {
      field,
      read: current,
      write(config, value) {
        const before = current(config);
        const modules = { ...(valueAt(config, ['moduleConfig']) as Config | undefined) };
        if (before !== undefined) delete modules[before];
        return withValue(
          config,
          ['moduleConfig'],
          value === '' ? modules : { ...modules, [String(value)]: {} },
        );
      },
    },
  ];
}
