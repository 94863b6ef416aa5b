import {
  type Aggregated,
  type AggregateRequest,
  type Cell,
  type ColumnHead,
  countName,
  DriverError,
  type Json,
  type Measure,
  type Measured,
  measureName,
  rowSetFromCells,
  topValues,
} from '@trestle/driver-kit';
import { filterOf } from './browse.ts';
import type { CollectionReader } from './collection-reader.ts';
import { findColumn, type GridColumn, gridColumns } from './columns.ts';
import type { FilterContext } from './operators.ts';
import type { FoundAggregate, Member } from './requests/model/aggregate.ts';
import type { ElementType, Property } from './schema.ts';

interface MeasuredProperty extends Measured {
  property: Property;
  head: Pick<ColumnHead, 'type' | 'nativeType'>;
}

export async function aggregate(
  reader: CollectionReader,
  request: AggregateRequest,
  context: FilterContext,
): Promise<Aggregated> {
  const { collection } = context;
  const columnOf = (name: string) => findColumn(gridColumns(collection), name, collection);
  const by = groupColumn(request.by.map(columnOf));
  const measured = request.measured.map((one) => measuredOf(one, columnOf(one.column)));
  const where = filterOf(request, context);
  // One more than asked for, since the server does not say whether there are more.
  const asked = { where, by: by?.property, groups: request.groups + 1, measured: membersOf(measured) };
  const found = (await reader.aggregate(asked)).sort((a, b) => b.objects - a.objects);
  const shown = by ? found.slice(0, request.groups) : found;
  const heads: ColumnHead[] = [
    ...(by ? [{ name: by.name, type: by.type, nativeType: by.nativeType }] : []),
    { name: countName(request.by), type: 'int', nativeType: '' },
    ...measured.map((one) => ({ name: measureName(one), ...one.head })),
  ];
  const rows = shown.map((group): Cell[] => [
    ...(by ? [group.value] : []),
    group.objects,
    ...measured.map((one) => cellOf(group, one)),
  ]);
  const hasMore = found.length > shown.length;
  const note = by && (await groupNote(reader, { by, where, shown, hasMore }));
  return { rows: rowSetFromCells(heads, rows), hasMore, ...(note !== undefined && { note }) };
}

interface GroupColumn extends Pick<ColumnHead, 'name' | 'type' | 'nativeType'> {
  property: Property;
}

const groupable = new Set<ElementType>(['text', 'int', 'number', 'boolean', 'date', 'uuid']);

function groupColumn([column, ...more]: GridColumn[]): GroupColumn | undefined {
  if (!column) return undefined;
  if (more.length > 0) throw refused('Weaviate groups by one column', 'Name one column in by.');
  const { source, name, type, nativeType } = column;
  if (source.kind !== 'property' || !groupable.has(source.property.elementType)) {
    throw refused(
      `Weaviate does not group by ${name}: its type is ${nativeType}`,
      'Group by another column.',
    );
  }
  // Each element of a list makes a group of its own.
  const { property } = source;
  const isList = property.isArray;
  return { name, property, nativeType, type: isList ? elementColumn[property.elementType]! : type };
}

const elementColumn: Partial<Record<ElementType, ColumnHead['type']>> = {
  text: 'text',
  int: 'int',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  uuid: 'uuid',
};

/** The measures that Weaviate has for each type. */
const offered: Partial<Record<ElementType, Measure[]>> = {
  int: ['count', 'sum', 'mean', 'min', 'max'],
  number: ['count', 'sum', 'mean', 'min', 'max'],
  text: ['count', 'top_values'],
  boolean: ['count', 'top_values'],
  date: ['count', 'min', 'max'],
};

const memberOf: Record<Exclude<Measure, 'top_values'>, Member> = {
  count: 'count',
  sum: 'sum',
  mean: 'mean',
  min: 'minimum',
  max: 'maximum',
};

function measuredOf(one: Measured, { source, nativeType }: GridColumn): MeasuredProperty {
  const { column, measure } = one;
  const property = source.kind === 'property' ? source.property : undefined;
  const measures = (property && offered[property.elementType]) ?? [];
  if (!property || !measures.includes(measure)) {
    throw refused(
      `Weaviate has no ${measure} of ${column}: its type is ${nativeType}`,
      measures.length > 0
        ? `It has ${measures.join(', ')}. by groups by a column.`
        : 'Count with filters, or group by it.',
    );
  }
  return { ...one, property, head: headOf(measure, property) };
}

function headOf(measure: Measure, { elementType }: Property): MeasuredProperty['head'] {
  if (measure === 'count') return { type: 'int', nativeType: '' };
  if (measure === 'mean') return { type: 'number', nativeType: '' };
  if (measure === 'top_values') return { type: 'json', nativeType: '' };
  return { type: elementColumn[elementType]!, nativeType: elementType };
}

/** Each property once, with all its members: the server takes a property only once. */
function membersOf(measured: MeasuredProperty[]): { property: Property; members: Member[] }[] {
  const byName = Map.groupBy(measured, ({ property }) => property.name);
  return [...byName.values()].map((all) => ({
    property: all[0]!.property,
    members: [...new Set(all.flatMap(({ measure, property }) => serverMembers(measure, property)))],
  }));
}

function serverMembers(measure: Measure, { elementType }: Property): Member[] {
  if (measure !== 'top_values') return [memberOf[measure]];
  return elementType === 'boolean' ? ['totalTrue', 'totalFalse'] : ['topOccurrences'];
}

function cellOf({ values }: FoundAggregate, { measure, property }: MeasuredProperty): Cell {
  const found = values.get(property.name) ?? {};
  if (measure === 'top_values') return topOf(found, property);
  const value = found[memberOf[measure] as 'count'];
  if (value === undefined || value === '') return measure === 'count' ? 0 : null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  // Connect sends NaN where there is nothing to divide by.
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}

type Values = FoundAggregate['values'] extends Map<string, infer One> ? One : never;

function topOf(found: Values, { elementType }: Property): Json[] {
  const counted =
    elementType === 'boolean'
      ? [
          { value: true, occurs: Number(found.totalTrue ?? 0) },
          { value: false, occurs: Number(found.totalFalse ?? 0) },
        ]
      : (found.topOccurrences ?? []);
  return counted
    .filter(({ occurs }) => occurs > 0)
    .sort((a, b) => b.occurs - a.occurs)
    .slice(0, topValues)
    .map(({ value, occurs }) => [value, occurs]);
}

interface Grouped {
  by: GroupColumn;
  where: ReturnType<typeof filterOf>;
  shown: FoundAggregate[];
  hasMore: boolean;
}

/** The server leaves out objects without a value. */
async function groupNote(
  reader: CollectionReader,
  { by, where, shown, hasMore }: Grouped,
): Promise<string | undefined> {
  if (by.property.isArray) return `Each element of ${by.name} counts, so an object may be in several groups.`;
  if (hasMore) return undefined;
  const left = (await reader.count(where)) - shown.reduce((sum, { objects }) => sum + objects, 0);
  return left > 0 ? `Objects without a value in ${by.name}, in no group: ${left}.` : undefined;
}

function refused(message: string, hint: string): DriverError {
  return new DriverError({ code: 'unsupported', message, hint });
}
