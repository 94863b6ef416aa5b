/**
 * Computes in memory what Weaviate's filters find. This oracle was written from the server's sources: its tokenizer,
 * the inverted searcher and the like operator. It shares no code with the driver, so a test can compare the two.
 */

export type ValueType = 'text' | 'int' | 'number' | 'boolean' | 'date' | 'uuid';

export interface OracleProperty {
  name: string;
  type: ValueType;
  isArray: boolean;
  tokenization?: 'word' | 'lowercase' | 'whitespace' | 'field' | 'trigram';
}

export type OracleValue = string | number | boolean | (string | number | boolean)[] | null;

export interface OracleObject {
  id: string;
  values: Record<string, OracleValue>;
}

export interface OracleFilter {
  column: string;
  operator: string;
  value?: string | number | boolean | (string | number | boolean)[];
}

export interface OracleServer {
  /** Whether the server has the operators Not and ContainsNone. */
  hasNot: boolean;
  /**
   * Old servers drop stop words in every tokenization, and in patterns. Newer servers drop them only for equality
   * with the tokenization `word`.
   */
  dropsStopwordsEverywhere: boolean;
}

/** The ids that match, or why the filter must be refused. */
export type Verdict = { ids: Set<string> } | { refused: string };

export function judge(
  filters: OracleFilter[],
  match: 'all' | 'any',
  world: { objects: OracleObject[]; properties: OracleProperty[]; server: OracleServer },
): Verdict {
  const verdicts: Set<string>[] = [];
  for (const filter of filters) {
    const property = world.properties.find((one) => one.name === filter.column);
    const test = property ? predicate(filter, property, world.server) : idPredicate(filter, world.server);
    if (typeof test === 'string') return { refused: test };
    verdicts.push(new Set(world.objects.filter((object) => test(object)).map(({ id }) => id)));
  }
  const all = world.objects.map(({ id }) => id);
  const holds = (id: string) =>
    match === 'all' ? verdicts.every((ids) => ids.has(id)) : verdicts.some((ids) => ids.has(id));
  return { ids: new Set(all.filter(holds)) };
}

type Predicate = ((object: OracleObject) => boolean) | string;

const stopwords = new Set(
  'a,an,and,are,as,at,be,but,by,for,if,in,into,is,it,no,not,of,on,or,such,that,the,their,then,there,these,they,this,to,was,will,with'.split(
    ',',
  ),
);

function predicate(filter: OracleFilter, property: OracleProperty, server: OracleServer): Predicate {
  const read = (object: OracleObject) => object.values[property.name] ?? null;
  switch (filter.operator) {
    case 'is_null':
      return (object) => isBlank(read(object));
    case 'is_not_null':
      return (object) => !isBlank(read(object));
    case 'is_empty':
    case 'is_not_empty':
      if (property.type !== 'text' && !property.isArray) return 'no length';
      return (object) => isBlank(read(object)) === (filter.operator === 'is_empty');
    case 'regex':
      return 'no regular expressions';
  }
  const elements = (object: OracleObject) => elementsOf(read(object));
  return property.type === 'text'
    ? textPredicate(filter, property, server, (object) => elements(object) as string[])
    : scalarPredicate(filter, property, elements);
}

function isBlank(value: OracleValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function elementsOf(value: OracleValue): (string | number | boolean)[] {
  return value === null ? [] : Array.isArray(value) ? value : [value];
}

// ---- text ------------------------------------------------------------------------------------------

function textPredicate(
  filter: OracleFilter,
  property: OracleProperty,
  server: OracleServer,
  elements: (object: OracleObject) => string[],
): Predicate {
  const tokenization = property.tokenization ?? 'word';
  const indexed = (object: OracleObject) =>
    new Set(elements(object).flatMap((text) => tokens(text, tokenization)));
  const drops = tokenization === 'word' || server.dropsStopwordsEverywhere;
  const queryTerms = (text: string) =>
    tokens(text, tokenization).filter((term) => !(drops && stopwords.has(term)));
  const equals = (text: string): Predicate => {
    const raw = tokens(text, tokenization);
    if (raw.length === 0 || raw.every((term) => term === '')) return 'no terms';
    const terms = queryTerms(text);
    if (terms.length === 0) return 'only stop words';
    return (object) => {
      const index = indexed(object);
      return terms.every((term) => index.has(term));
    };
  };
  const value = filter.value;
  switch (filter.operator) {
    case 'equals':
      return equals(String(value));
    case 'not_equals': {
      const test = equals(String(value));
      if (typeof test === 'string') return test;
      if (tokens(String(value), tokenization).length > 1 && !server.hasNot)
        return 'several words before 1.33';
      return (object) => !test(object);
    }
    case 'in_list':
    case 'not_in_list': {
      const tests = (value as string[]).map(equals);
      const refusal = tests.find((test) => typeof test === 'string');
      if (refusal) return refusal as string;
      const isAny = (object: OracleObject) =>
        tests.some((test) => (test as (one: OracleObject) => boolean)(object));
      if (filter.operator === 'in_list') return isAny;
      if (!server.hasNot && (value as string[]).some((one) => tokens(one, tokenization).length > 1)) {
        return 'several words before 1.33';
      }
      return (object) => !isAny(object);
    }
    case 'contains':
    case 'not_contains':
    case 'starts_with':
    case 'ends_with': {
      if (tokenization === 'trigram') return 'no patterns on trigrams';
      if (filter.operator === 'not_contains' && !server.hasNot) return 'no Not before 1.33';
      const test = likePredicate(String(value), filter.operator, tokenization, server, indexed);
      if (typeof test === 'string') return test;
      return filter.operator === 'not_contains' ? (object) => !test(object) : test;
    }
    default:
      return 'text has no order';
  }
}

function likePredicate(
  text: string,
  operator: string,
  tokenization: NonNullable<OracleProperty['tokenization']>,
  server: OracleServer,
  indexed: (object: OracleObject) => Set<string>,
): Predicate {
  if (text === '') return 'nothing to look for';
  const pattern = `${operator === 'starts_with' ? '' : '*'}${text}${operator === 'ends_with' ? '' : '*'}`;
  const raw = tokenization === 'word' ? wildcardWords(pattern) : tokens(pattern, tokenization);
  if (raw.every((term) => /^[*?]*$/.test(term))) return 'matches everything';
  const terms = raw
    .filter((term) => !/^\*+$/.test(term))
    .filter((term) => !(server.dropsStopwordsEverywhere && stopwords.has(term)));
  if (terms.length === 0) return 'only stop words';
  const expressions = terms.map(likeExpression);
  return (object) => {
    const index = [...indexed(object)];
    return expressions.every((expression) => index.some((term) => expression.test(term)));
  };
}

/** As in the server (a Go regular expression), `*` and `?` do not match a line feed. */
function likeExpression(pattern: string): RegExp {
  const source = Array.from(pattern, (char) =>
    char === '*' ? '[^\\n]*' : char === '?' ? '[^\\n]' : char.replace(/[\\^$.|+(){}[\]/]/g, '\\$&'),
  ).join('');
  return new RegExp(`^(?:${source})$`, 'u');
}

function isAlphanumeric(char: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(char);
}

function splitBy(text: string, isInside: (char: string) => boolean): string[] {
  const parts: string[] = [];
  let current = '';
  for (const char of text) {
    if (isInside(char)) current += char;
    else if (current !== '') {
      parts.push(current);
      current = '';
    }
  }
  return current === '' ? parts : [...parts, current];
}

const goSpaces = new Set('\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000');
const isGoSpace = (char: string) => goSpaces.has(char) || (char >= '\u2000' && char <= '\u200a');

/**
 * Lower-cases like Go: Σ is always σ, and İ becomes one character. In JavaScript, Σ at the end of a word is ς, and İ
 * becomes two characters.
 */
function goLower(text: string): string {
  return Array.from(text, (char) => Array.from(char.toLowerCase())[0]).join('');
}

function wildcardWords(text: string): string[] {
  return splitBy(text, (char) => isAlphanumeric(char) || char === '*' || char === '?').map((one) =>
    goLower(one),
  );
}

function tokens(text: string, tokenization: NonNullable<OracleProperty['tokenization']>): string[] {
  switch (tokenization) {
    case 'word':
      return splitBy(text, isAlphanumeric).map((one) => goLower(one));
    case 'lowercase':
      return splitBy(text, (char) => !isGoSpace(char)).map((one) => goLower(one));
    case 'whitespace':
      return splitBy(text, (char) => !isGoSpace(char));
    case 'field': {
      const chars = Array.from(text);
      while (chars.length > 0 && isGoSpace(chars[0] as string)) chars.shift();
      while (chars.length > 0 && isGoSpace(chars.at(-1) as string)) chars.pop();
      return [chars.join('')];
    }
    case 'trigram': {
      const chars = Array.from(goLower(splitBy(text, isAlphanumeric).join('')));
      return chars.slice(0, Math.max(0, chars.length - 2)).map((_, at) => chars.slice(at, at + 3).join(''));
    }
  }
}

// ---- everything else -------------------------------------------------------------------------------

function scalarPredicate(
  filter: OracleFilter,
  property: OracleProperty,
  elements: (object: OracleObject) => (string | number | boolean)[],
): Predicate {
  const order = (value: string | number | boolean) => ordinal(value, property.type);
  const has = (value: string | number | boolean) => (object: OracleObject) =>
    elements(object).some((element) => order(element) === order(value));
  const value = filter.value as string | number | boolean;
  const compare = (isMatch: (element: number, bound: number) => boolean): Predicate => {
    if (!['int', 'number', 'date'].includes(property.type)) return 'no order';
    return (object) => elements(object).some((one) => isMatch(order(one) as number, order(value) as number));
  };
  switch (filter.operator) {
    case 'equals':
      return has(value);
    case 'not_equals':
      return (object) => !has(value)(object);
    case 'in_list':
      return (object) => (filter.value as (string | number | boolean)[]).some((one) => has(one)(object));
    case 'not_in_list':
      return (object) => !(filter.value as (string | number | boolean)[]).some((one) => has(one)(object));
    case 'greater_than':
      return compare((element, bound) => element > bound);
    case 'greater_or_equal':
      return compare((element, bound) => element >= bound);
    case 'less_than':
      return compare((element, bound) => element < bound);
    case 'less_or_equal':
      return compare((element, bound) => element <= bound);
    case 'between': {
      if (!['int', 'number', 'date'].includes(property.type)) return 'no order';
      if (property.isArray) return 'two bounds on different elements';
      const [low, high] = (filter.value as (string | number)[]).map(order) as [number, number];
      return (object) =>
        elements(object).some((one) => (order(one) as number) >= low && (order(one) as number) <= high);
    }
    default:
      return 'text only';
  }
}

function ordinal(value: string | number | boolean, type: ValueType): number | string | boolean {
  if (type === 'date') return Date.parse(String(value));
  return type === 'uuid' ? String(value).toLowerCase() : value;
}

function idPredicate(filter: OracleFilter, server: OracleServer): Predicate {
  const value = String(filter.value).toLowerCase();
  switch (filter.operator) {
    case 'equals':
      return ({ id }) => id === value;
    case 'not_equals':
      return ({ id }) => id !== value;
    case 'in_list':
      return ({ id }) => (filter.value as string[]).includes(id);
    case 'not_in_list':
      return ({ id }) => !(filter.value as string[]).includes(id);
    case 'contains':
      return ({ id }) => id.includes(value);
    case 'not_contains':
      return server.hasNot ? ({ id }) => !id.includes(value) : 'no Not before 1.33';
    case 'starts_with':
      return ({ id }) => id.startsWith(value);
    case 'ends_with':
      return ({ id }) => id.endsWith(value);
    default:
      return 'not on the id';
  }
}
