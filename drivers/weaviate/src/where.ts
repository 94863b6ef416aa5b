import type { Filter, Match } from '@trestle/driver-kit';
import { findColumn, type GridColumn } from './columns.ts';
import { boundsOf, clauseList, clauseValue, dayOf, listOf, scalarOf, unrunnable } from './filter-value.ts';
import { type FilterContext, refusalOf } from './operators.ts';
import { type Clause, type Comparison, combine, type Where } from './requests/model/where.ts';
import type { Property } from './schema.ts';
import { patternTermsOf, termsOf } from './tokens.ts';

/**
 * The grid's filters as one filter; null without filters. A filter that cannot run is refused here, before a
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

function clause(filter: Filter, column: GridColumn, context: FilterContext): Where {
  const refusal = refusalOf(filter.operator, column, context);
  if (refusal !== null) throw unrunnable(column, refusal);
  const compare = (operator: Comparison, value = scalarOf(column, filter)): Where => ({
    path: pathOf(column),
    operator,
    value: clauseValue(column, value),
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
      return { path: pathOf(column), operator: 'ContainsAny', value: clauseList(column, filter) };
    case 'not_in_list':
      return notInList(column, filter, context);
    case 'is_null':
    case 'is_not_null':
      return {
        path: pathOf(column),
        operator: 'IsNull',
        value: { type: 'boolean', value: filter.operator === 'is_null' },
      };
    case 'is_empty':
    case 'is_not_empty':
      return {
        path: [`len(${pathOf(column)[0]})`],
        operator: filter.operator === 'is_empty' ? 'Equal' : 'GreaterThan',
        value: { type: 'int', value: 0n },
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
  if (!splits(column, value)) return { ...equal, operator: 'NotEqual' };
  if (context.hasNot) return negate(equal);
  throw unrunnable(column, 'only Weaviate 1.33 or newer can exclude a text that the index may split');
}

function notInList(column: GridColumn, filter: Filter, context: FilterContext): Where {
  const list = listOf(column, filter);
  for (const value of list) checkTerms(column, value, context);
  if (hasDay(column, filter)) {
    const parts = list.map((value): Where => {
      const day = dayOf(column, value);
      return day ? offDay(column, day) : { ...equalTo(column, value), operator: 'NotEqual' };
    });
    return combine('And', parts) as Where;
  }
  if (context.hasNot) {
    return { path: pathOf(column), operator: 'ContainsNone', value: clauseList(column, filter) };
  }
  if (list.some((value) => splits(column, value))) {
    throw unrunnable(column, 'only Weaviate 1.33 or newer can exclude a text that the index may split');
  }
  const parts = list.map((value): Where => ({ ...equalTo(column, value), operator: 'NotEqual' }));
  return combine('And', parts) as Where;
}

function equalTo(column: GridColumn, value: string | number | boolean): Clause {
  return { path: pathOf(column), operator: 'Equal', value: clauseValue(column, value) };
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

function dayBound(column: GridColumn, operator: Comparison, value: string): Where {
  return { path: pathOf(column), operator: operator, value: clauseValue(column, value) };
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
  const matching = (text: string): Where => ({
    path: pathOf(column),
    operator: 'Like',
    value: { type: 'text', value: text },
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
  return { operator: 'And', operands: [a, b] };
}

function negate(where: Where): Where {
  return { operator: 'Not', operands: [where] };
}
