import type { Design, DesignDifference, DesignItem, DesignStep, DesignValue } from '@trestle/driver-kit';
import { definitionOf, propertyConfig, type Settings } from './definition.ts';
import { isSince, type KnownServer } from './known-server.ts';
import { type Change, type Config, isSame, isShown, type Setting } from './setting.ts';

interface Changed extends Change {
  setting: Setting;
  difference: DesignDifference;
  to: DesignValue;
}

/** The steps that turn a collection into another design. `before` and `after` have the same name. */
export function stepsBetween(
  before: Design,
  after: Design,
  { definition, settings, server }: { definition: Config; settings: Settings; server: KnownServer },
): DesignStep[] {
  const path = `/schema/${before.name}`;
  const own = changesIn(settings.collection, before.fields, after.fields, '');
  const properties = pairs(before.parts.properties, after.parts.properties);
  const vectors = pairs(before.parts.vectors, after.parts.vectors);
  const inProperties = properties.kept.map(({ name, was, now }) => ({
    name,
    changes: changesIn(settings.property, was.fields, now.fields, name),
  }));
  const inVectors = vectors.kept.map(({ name, was, now }) => ({
    name,
    changes: changesIn(settings.vector, was.fields, now.fields, `Vector ${name || 'without a name'}`),
  }));
  const all = [
    ...own,
    ...inProperties.flatMap((one) => one.changes),
    ...inVectors.flatMap((one) => one.changes),
  ];

  const addsVectors = isSince(server, 30);
  const added = addsVectors ? vectors.added : [];
  const sent = all.filter(({ later, setting }) => later === 'now' && !indexes.has(setting.field.id));
  const steps: DesignStep[] = [];
  if (sent.length > 0 || added.length > 0) {
    const body = definitionOf(
      {
        ...before,
        fields: applied(before.fields, own),
        parts: {
          properties: (before.parts.properties ?? []).map((item) => withChanges(item, inProperties)),
          vectors: [...(before.parts.vectors ?? []).map((item) => withChanges(item, inVectors)), ...added],
        },
        definition: JSON.stringify(definition),
      },
      settings,
    );
    const costs = new Set(sent.flatMap(({ cost = [] }) => cost));
    if (added.length > 0) costs.add('A vector cannot be removed again. Rows that exist have no value in it.');
    steps.push({
      later: 'now',
      title: `Change the settings of ${before.name}`,
      text: requestLine('PUT', path, body),
      ...(costs.size > 0 && { cost: [...costs].join(' ') }),
      ...(added.length === 0 && { undo: 'The same settings, changed back.' }),
      changes: [
        ...sent.map(({ difference }) => difference),
        ...added.map((item) => ({ label: `Vector ${nameOf(item)}`, from: '', to: 'New' })),
      ],
    });
  }
  for (const item of properties.added) {
    const name = nameOf(item);
    steps.push({
      later: 'now',
      title: `Add the property ${name}`,
      text: requestLine('POST', `${path}/properties`, propertyConfig(item, [], settings)),
      cost: 'A property cannot be removed again. Rows that exist have no value in it.',
      changes: [{ label: name, from: '', to: 'New' }],
    });
  }
  for (const { name, changes } of inProperties)
    steps.push(
      ...indexSteps(
        `${path}/properties/${name}`,
        name,
        changes,
        properties.kept.find((one) => one.name === name)!.now,
      ),
    );
  const copies = [
    ...all.filter(({ later }) => later === 'copy').map(({ difference }) => difference),
    ...[...properties.removed, ...vectors.removed].map((item) => ({
      label: nameOf(item) || 'Vector',
      from: 'Exists',
      to: 'Removed',
    })),
    ...(addsVectors
      ? []
      : vectors.added.map((item) => ({ label: `Vector ${nameOf(item)}`, from: '', to: 'New' }))),
    ...properties.kept
      .filter(({ was, now }) => !isSameItems(was.items, now.items))
      .map(({ name }) => ({ label: name, from: '', to: 'Other properties inside' })),
  ];
  if (copies.length > 0)
    steps.push({
      later: 'copy',
      title: 'Make a new collection and copy the rows',
      cost: 'The server cannot change this in a collection that exists.',
      undo: 'The old collection stays until you delete it.',
      changes: copies,
    });
  return steps;
}

/** Settings with a request of their own. */
const indexes = new Map([
  ['filterable', 'filterable'],
  ['searchable', 'searchable'],
  ['range', 'rangeFilters'],
]);

function indexSteps(path: string, name: string, changes: Changed[], now: DesignItem): DesignStep[] {
  const tokenization = changes.find(({ setting }) => setting.field.id === 'tokenization');
  const steps: DesignStep[] = [];
  for (const { setting, later, to, cost, undo, difference } of changes) {
    const index = indexes.get(setting.field.id);
    if (index === undefined || later === 'copy') continue;
    const isSearch = index === 'searchable';
    const body: Config = isSearch ? { tokenization: String(now.fields.tokenization ?? 'word') } : {};
    steps.push({
      later,
      title: to === true ? `Make the index ${index} of ${name}` : `Remove the index ${index} of ${name}`,
      text:
        to === true ? requestLine('PUT', `${path}/index/${index}`, body) : `DELETE ${path}/index/${index}`,
      ...(cost !== undefined && { cost }),
      ...(undo !== undefined && { undo }),
      changes: [difference],
    });
  }
  const isMade = steps.some(({ text }) => text?.startsWith('PUT') && text.includes('/index/searchable'));
  if (tokenization?.later === 'task' && !isMade) {
    // With a new splitting of the index for keywords, the server also makes the one for filters again.
    const index = now.fields.searchable === false ? 'filterable' : 'searchable';
    steps.push({
      later: 'task',
      title: `Split the text of ${name} again`,
      text: requestLine('PUT', `${path}/index/${index}`, { tokenization: String(tokenization.to) }),
      cost: 'The server reads every row once. Reads and writes go on.',
      undo: 'The old splitting, in the same way.',
      changes: [tokenization.difference],
    });
  }
  return steps;
}

function changesIn(
  settings: Setting[],
  before: Record<string, DesignValue>,
  after: Record<string, DesignValue>,
  label: string,
): Changed[] {
  const wanted = { ...before, ...after };
  return settings.flatMap((setting) => {
    const { field, change } = setting;
    const [from, to] = [before[field.id] ?? field.default, wanted[field.id] ?? field.default];
    if (isSame(from, to) || !isShown(field, wanted)) return [];
    const how = change?.(from, to, before) ?? { later: field.later };
    const difference = {
      label: label === '' ? field.label : `${label}: ${field.label}`,
      from: wordsOf(field, from),
      to: wordsOf(field, to),
    };
    return [{ ...how, setting, difference, to }];
  });
}

/** A value as the form shows it. */
export function wordsOf(field: Setting['field'], value: DesignValue): string {
  if (field.type === 'choice')
    return field.choices.find((one) => one.value === value)?.label ?? String(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function applied(fields: Record<string, DesignValue>, changes: Changed[]): Record<string, DesignValue> {
  const now = changes.filter(({ later, setting }) => later === 'now' && !indexes.has(setting.field.id));
  return { ...fields, ...Object.fromEntries(now.map(({ setting, to }) => [setting.field.id, to])) };
}

function withChanges(item: DesignItem, changed: { name: string; changes: Changed[] }[]): DesignItem {
  const changes = changed.find(({ name }) => name === nameOf(item))?.changes ?? [];
  return { ...item, fields: applied(item.fields, changes) };
}

function pairs(before: DesignItem[] = [], after: DesignItem[] = []) {
  const kept = before.flatMap((was) => {
    const now = after.find((one) => nameOf(one) === nameOf(was));
    return now ? [{ name: nameOf(was), was, now }] : [];
  });
  return {
    kept,
    added: after.filter((one) => !before.some((was) => nameOf(was) === nameOf(one))),
    removed: before.filter((was) => !after.some((one) => nameOf(one) === nameOf(was))),
  };
}

function nameOf({ fields }: DesignItem): string {
  return String(fields.name ?? '');
}

function isSameItems(one: DesignItem[] = [], other: DesignItem[] = []): boolean {
  return (
    one.length === other.length &&
    one.every((item, index) => {
      const twin = other[index]!;
      const names = new Set([...Object.keys(item.fields), ...Object.keys(twin.fields)]);
      // A field that one of them leaves out has the same default in both.
      const differs = [...names].some(
        (name) =>
          item.fields[name] !== undefined &&
          twin.fields[name] !== undefined &&
          !isSame(item.fields[name], twin.fields[name]),
      );
      return !differs && isSameItems(item.items, twin.items);
    })
  );
}

export function requestLine(method: string, path: string, body: unknown): string {
  return `${method} ${path}\n${JSON.stringify(body, null, 2)}`;
}
