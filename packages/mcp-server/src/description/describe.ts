import { type Core, type DataAccess, oneLine } from '@trestle/core';
import type { ColumnDescription, Partition, TableDescription } from '@trestle/driver-kit';
import { nameText } from '../answer/cell-text.ts';
import { columnText, kindText, shownColumns } from './column-text.ts';
import { filtersText } from './filters-text.ts';

/** Describes a table to a model that writes queries on it. */
export async function describeLines(
  core: Core,
  access: DataAccess,
  table: string,
  { detail }: { detail: boolean },
): Promise<string[]> {
  const described = await core.data.describe(access, table);
  const tenants = described.partitioned ? await core.data.partitions(access, described.name) : undefined;
  const tenant = tenants?.find(({ unavailable }) => unavailable === undefined)?.name;
  const manifest = core.drivers.get(core.connections.get(access.connectionId)?.driver ?? '');
  const language = manifest?.editor.language;
  const columns = shownColumns(described);
  // A driver may write "<tenant>" in queries, notes and help. The first available tenant replaces this placeholder.
  const ofTenant = (text: string) =>
    tenant === undefined ? text : text.replaceAll('"<tenant>"', () => JSON.stringify(tenant));
  const { countQuery, exampleQuery, notes, help = [] } = described;
  return [
    headText(described, language),
    ...columns.map((column) => columnText(column, described)),
    ...filtersText(columns),
    ...formsText(columns),
    ...searchesText(described),
    ...readOnlyText(described),
    ...(tenants ? tenantsText(tenants) : []),
    ...notes.map((note) => oneLine(ofTenant(note))),
    ...(detail ? detailLines(described, columns) : []),
    ...(detail ? help.map(ofTenant) : []),
    ...(language === 'graphql'
      ? ['browse_table filters and sorts, aggregate_table counts and groups: both without a query']
      : []),
    // The example is empty if the database has no query language.
    ...(exampleQuery === '' ? [] : [`example: ${queryLine(ofTenant(exampleQuery))}`]),
    ...(countQuery === undefined ? [] : [`counts: ${queryLine(ofTenant(countQuery))}`]),
  ];
}

/** Unlike `oneLine`, keeps repeated spaces within a line, because a quoted name may contain them. */
function queryLine(query: string): string {
  return query.trim().replace(/\s*\n\s*/g, ' ');
}

/** The line of one table in the list of a whole schema. */
export function schemaLine(table: TableDescription): string {
  const columns = shownColumns(table).map((column) => columnText(column, table));
  const kind = kindText(table);
  const key = table.key.length > 0 ? `; key ${table.key.map(nameText).join(', ')}` : '';
  const comment = table.comment ? ` -- ${oneLine(table.comment)}` : '';
  return `${nameText(table.name)}${kind && ` ${kind}`} (${columns.join(', ')}${key})${comment}`;
}

function headText({ name, kind, comment, key }: TableDescription, language: string | undefined): string {
  const about = [kind, ...(language ? [language] : [])].join(', ');
  const keyText = key.length > 0 ? `, key ${key.map(nameText).join(', ')}` : ', no key';
  return `${nameText(name)} (${about}${keyText})${comment ? `: ${oneLine(comment)}` : ''}`;
}

/** Value formats that the type's name does not reveal. */
function formsText(columns: ColumnDescription[]): string[] {
  const unusual = columns.filter(({ type, operators, valueForm }) => {
    const isFiltered = operators.some(({ refusal }) => !refusal);
    return valueForm !== undefined && (type === 'date' || (isFiltered && type === 'bytes'));
  });
  const groups = Map.groupBy(unusual, ({ valueForm }) => valueForm as string);
  return [...groups].map(([form, group]) => `${group.map(({ name }) => nameText(name)).join(', ')}: ${form}`);
}

function searchesText({ searches }: TableDescription): string[] {
  if (!searches) return [];
  const modes = searches.modes.filter(({ refusal }) => !refusal).map(({ mode }) => mode);
  if (modes.length === 0) return ['vector_search: no mode runs here'];
  const targets = searches.targetVectors;
  const target = targets.length > 0 ? `; target_vector ${targets.map(nameText).join(' or ')}` : '';
  return [`vector_search: ${modes.join(', ')}${target}`];
}

function readOnlyText({ readOnly }: TableDescription): string[] {
  const groups = Map.groupBy(Object.entries(readOnly ?? {}), ([, reason]) => reason);
  return [...groups].map(([reason, entries]) => `no ${entries.map(([kind]) => kind).join(', ')}: ${reason}`);
}

const maxTenants = 50;

/** The first tenants: those that can be read, then the others with the reason. */
function tenantsText(tenants: Partition[]): string[] {
  const isOpen = ({ unavailable }: Partition) => unavailable === undefined;
  const sorted = [...tenants.filter(isOpen), ...tenants.filter((tenant) => !isOpen(tenant))];
  const shown = sorted.slice(0, maxTenants);
  const namesOf = (some: Partition[]) => some.map(({ name }) => nameText(name)).join(', ');
  const closed = Map.groupBy(
    shown.filter((tenant) => !isOpen(tenant)),
    ({ unavailable = '', activates = false }) =>
      `${oneLine(unavailable)}${activates ? '; the user can activate it in Trestle' : ''}`,
  );
  const left = sorted.length - shown.length;
  return [
    `tenants: ${namesOf(shown.filter(isOpen)) || 'none available'}`,
    ...Array.from(closed, ([reason, some]) => `${reason}: ${namesOf(some)}`),
    ...(left > 0 ? [`and ${left} more tenants, ${sorted.length} in all`] : []),
  ];
}

function indexTerm(column: string | null): string {
  return column === null ? '(expression)' : nameText(column);
}

/** Optional parts: indexes, refusals with reasons, the definition. */
function detailLines(table: TableDescription, columns: ColumnDescription[]): string[] {
  const indexes = table.indexes.map(
    ({ name, columns, unique, detail }) =>
      `${nameText(name)}(${columns.map(indexTerm).join(', ')})${unique ? ' unique' : ''}${detail ? ` ${detail}` : ''}`,
  );
  const refusedModes = table.searches?.modes.filter(({ refusal }) => refusal) ?? [];
  return [
    ...(indexes.length > 0 ? [`indexes: ${indexes.join('; ')}`] : []),
    ...refusalsText(columns),
    ...refusedModes.map(({ mode, refusal }) => `${mode} does not run: ${refusal}`),
    ...columns.flatMap(({ name, readOnly }) =>
      readOnly ? [`${nameText(name)} is read only: ${readOnly}`] : [],
    ),
    ...columns.flatMap(({ name, unsortable }) =>
      unsortable ? [`no sort by ${nameText(name)}: ${unsortable}`] : [],
    ),
    ...(table.definition === undefined ? [] : [`definition: ${compact(table.definition)}`]),
  ];
}

/** Puts a JSON definition on one line. Other definitions stay unchanged. */
function compact(definition: string): string {
  try {
    return JSON.stringify(JSON.parse(definition));
  } catch {
    return definition;
  }
}

function refusalsText(columns: ColumnDescription[]): string[] {
  const refused = columns.flatMap(({ name, operators }) =>
    operators.flatMap(({ operator, refusal }) => (refusal ? [{ name, operator, refusal }] : [])),
  );
  const groups = Map.groupBy(refused, ({ refusal }) => refusal);
  return [...groups].map(([refusal, all]) => {
    const names = [...new Set(all.map(({ name }) => nameText(name)))].join(', ');
    const operators = [...new Set(all.map(({ operator }) => operator))].join(', ');
    return `no ${operators} on ${names}: ${refusal}`;
  });
}
