import type { Filter, Match } from '@trestle/driver-kit';
import { findColumn, type GridColumn } from './columns.ts';
import { boundsOf, dayOf, listField, listOf, scalarOf, unrunnable, valueField } from './filter-value.ts';
import { EnumLiteral, type Literal } from './literal.ts';
import { type FilterContext, refusalOf } from './operators.ts';
import type { Property } from './schema.ts';
import { patternTermsOf, termsOf } from './tokens.ts';

export type Where = { [name: string]: Literal };

/**
 * The grid's filters as one `where`; null without filters. A filter that cannot run is refused here, before a
 * request. Otherwise the server might ignore it and return the whole collection.
 */
export function whereOf(
  filters: Filter[],
  match: Match,
  columns: GridColumn[],
  context: FilterContext,
): Where | null {
  const parts = filters.map((filter) =>
    clause(filter, findColumn(columns, filter.column, context.collection), context),
  );
  return combine(match === 'all' ? 'And' : 'Or', parts);
}

export function combine(operator: 'And' | 'Or', parts: Where[]): Where | null {
  if (parts.length === 0) return null;
  return parts.length === 1 ? (parts[0] ?? null) : { operator: new EnumLiteral(operator), operands: parts };
}

/** `id` greater than the last one seen: the cursor of an export or sample with a filter. */
export function afterId(id: string): Where {
  return { path: ['id'], operator: new EnumLiteral('GreaterThan'), valueText: id };
}

/**
 * For a filter of one clause the server reads only `offset + limit` matches from the index, in the order of the
 * filtered values. It sorts only these matches, so the page could miss matches that come first in the sort order.
 * With two operands the server reads all matches, so a single clause is sent twice, joined by And.
 */
export function readWhole(where: Where): Where {
  const operands = where.operands;
  const isCompound = Array.isArray(operands) && operands.length > 1;
  return isCompound ? where : { operator: new EnumLiteral('And'), operands: [where, where] };
}

function clause(filter: Filter, column: GridColumn, context: FilterContext): Where {
  const refusal = refusalOf(filter.operator, column, context);
  if (refusal !== null) throw unrunnable(column, refusal);
  const compare = (operator: string, value = scalarOf(column, filter)): Where => ({
    path: pathOf(column),
    operator: new EnumLiteral(operator),
    ...valueField(column, value),
  });
  switch (filter.operator) {
    case 'equals':
      checkTerms(column, scalarOf(column, filter), context);
      return onDay(column, scalarOf(column, filter)) ?? compare('Equal');
    case 'not_equals':
      return notEqual(column, filter, context);
    case 'greater_than':
      return compare('GreaterThan');
    case 'greater_or_equal':
      return compare('GreaterThanEqual');
    case 'less_than':
      return compare('LessThan');
    case 'less_or_equal':
      return compare('LessThanEqual');
    case 'between': {
      const [low, high] = boundsOf(column, filter);
      return both(compare('GreaterThanEqual', low), compare('LessThanEqual', high));
    }
    case 'contains':
      return like(column, filter, (value) => `*${value}*`);
    case 'not_contains':
      return negate(like(column, filter, (value) => `*${value}*`));
    case 'starts_with':
      return like(column, filter, (value) => `${value}*`);
    case 'ends_with':
      return like(column, filter, (value) => `*${value}`);
    case 'in_list':
      for (const value of listOf(column, filter)) checkTerms(column, value, context);
      if (hasDay(column, filter)) return anyOf(column, filter);
      return { path: pathOf(column), operator: new EnumLiteral('ContainsAny'), ...listField(column, filter) };
    case 'not_in_list':
      return notInList(column, filter, context);
    case 'is_null':
    case 'is_not_null':
      return {
        path: pathOf(column),
        operator: new EnumLiteral('IsNull'),
        valueBoolean: filter.operator === 'is_null',
      };
    case 'is_empty':
    case 'is_not_empty':
      return {
        path: [`len(${pathOf(column)[0]})`],
        operator: new EnumLiteral(filter.operator === 'is_empty' ? 'Equal' : 'GreaterThan'),
        valueInt: 0n,
      };
    case 'regex':
      throw unrunnable(column, 'Weaviate has no regular expressions');
  }
}

/** If the text has several words, the server's NotEqual also leaves out rows that contain only one of the words. */
function notEqual(column: GridColumn, filter: Filter, context: FilterContext): Where {
  const value = scalarOf(column, filter);
  checkTerms(column, value, context);
  const day = dayOf(column, value);
  if (day) return offDay(column, day);
  const equal = equalTo(column, value);
  if (!splits(column, value)) return { ...equal, operator: new EnumLiteral('NotEqual') };
  if (context.hasNot) return negate(equal);
  throw unrunnable(column, 'only Weaviate 1.33 or newer can exclude a text that the index may split');
}

function notInList(column: GridColumn, filter: Filter, context: FilterContext): Where {
  const list = listOf(column, filter);
  for (const value of list) checkTerms(column, value, context);
  if (hasDay(column, filter)) {
    const parts = list.map((value) => {
      const day = dayOf(column, value);
      return day ? offDay(column, day) : { ...equalTo(column, value), operator: new EnumLiteral('NotEqual') };
    });
    return combine('And', parts) as Where;
  }
  if (context.hasNot) {
    return { path: pathOf(column), operator: new EnumLiteral('ContainsNone'), ...listField(column, filter) };
  }
  if (list.some((value) => splits(column, value))) {
    throw unrunnable(column, 'only Weaviate 1.33 or newer can exclude a text that the index may split');
  }
  const parts = list.map((value) => ({
    path: pathOf(column),
    operator: new EnumLiteral('NotEqual'),
    ...valueField(column, value),
  }));
  return combine('And', parts) as Where;
}

function equalTo(column: GridColumn, value: string | number | boolean): Where {
  return { path: pathOf(column), operator: new EnumLiteral('Equal'), ...valueField(column, value) };
}

/** The whole day of a plain date; undefined for any other value. */
function onDay(column: GridColumn, value: string | number | boolean): Where | undefined {
  const day = dayOf(column, value);
  return day
    ? both(dayBound(column, 'GreaterThanEqual', day.from), dayBound(column, 'LessThan', day.to))
    : undefined;
}

function offDay(column: GridColumn, { from, to }: { from: string; to: string }): Where {
  const parts = [dayBound(column, 'LessThan', from), dayBound(column, 'GreaterThanEqual', to)];
  return combine('Or', parts) as Where;
}

function dayBound(column: GridColumn, operator: string, value: string): Where {
  return { path: pathOf(column), operator: new EnumLiteral(operator), ...valueField(column, value) };
}

function hasDay(column: GridColumn, filter: Filter): boolean {
  return listOf(column, filter).some((value) => dayOf(column, value) !== null);
}

function anyOf(column: GridColumn, filter: Filter): Where {
  const parts = listOf(column, filter).map((value) => onDay(column, value) ?? equalTo(column, value));
  return combine('Or', parts) as Where;
}

function like(column: GridColumn, filter: Filter, pattern: (value: string) => string): Where {
  const value = String(scalarOf(column, filter));
  const property = propertyOf(column);
  const whole = pattern(property ? value : value.toLowerCase());
  if (value === '') throw unrunnable(column, 'the text to look for is empty');
  const matching = (valueText: string) => ({
    path: pathOf(column),
    operator: new EnumLiteral('Like'),
    valueText,
  });
  if (!property?.tokenization) {
    if (!/[^*?]/.test(value)) throw unrunnable(column, 'the text would match every row');
    return matching(whole);
  }
  const terms = patternTermsOf(whole, property.tokenization);
  if (terms && !terms.some((term) => /[^*?]/.test(term))) {
    throw unrunnable(column, 'the index keeps no part of this text, so the filter would match every row');
  }
  // A term that is only `*` is left out: it matches every row that has the property. Weaviate 1.27 drops stop words from
  // a pattern, so `* the *` would become `* *` there and match all those rows.
  const needed = terms?.filter((term) => /[^*]/.test(term)) ?? [];
  return matching(terms && needed.length < terms.length ? needed.join(' ') : whole);
}

function checkTerms(column: GridColumn, value: string | number | boolean, context: FilterContext): void {
  const property = propertyOf(column);
  if (!property?.tokenization) return;
  const terms = termsOf(String(value), property.tokenization);
  if (terms?.every((term) => term === '')) {
    throw unrunnable(column, 'the index keeps no part of this text; to find empty text, use "is empty"');
  }
  if (property.tokenization === 'word' && terms?.every((term) => context.collection.stopwords.has(term))) {
    throw unrunnable(column, 'the text holds only stop words, which Weaviate ignores');
  }
}

function splits(column: GridColumn, value: string | number | boolean): boolean {
  const property = propertyOf(column);
  if (!property?.tokenization) return false;
  const terms = termsOf(String(value), property.tokenization);
  return terms === null || terms.length > 1;
}

function propertyOf(column: GridColumn): Property | null {
  return column.source.kind === 'property' ? column.source.property : null;
}

function pathOf(column: GridColumn): [string] {
  return [propertyOf(column)?.name ?? 'id'];
}

function both(a: Where, b: Where): Where {
  return { operator: new EnumLiteral('And'), operands: [a, b] };
}

function negate(where: Where): Where {
  return { operator: new EnumLiteral('Not'), operands: [where] };
}
