import type { Json } from '@trestle/driver-kit';
import type {
  AggregateRequest,
  Filters,
  ObjectPropertiesRequest,
  PropertiesRequest,
  SearchRequest,
} from '@trestle/weaviate-connect';
import {
  Filters_Operator as Operator,
  SearchOperatorOptions_Operator as WordOperator,
} from '@trestle/weaviate-connect';
import type { ServerPlace } from '../../client.ts';
import { typescriptConnection } from '../../show-request/connection-code.ts';
import {
  type Argument,
  aggregateCall,
  type ConvertedField,
  generativeNotes,
  type Language,
  levelName,
  type MethodCall,
  metricsOf,
  printedParts,
  searchCall,
} from './language.ts';
import {
  camel,
  factNames,
  idOperators,
  joinWords,
  operatorWords,
  pathOf,
  shortFloat,
  valueOfFilter,
  weightsOf,
} from './messages.ts';

/** For `weaviate-client` 3. */
export function typescriptOf(fields: ConvertedField[], place: ServerPlace): string {
  const used = new Set<string>();
  const use = (name: string) => {
    used.add(name);
    return name;
  };
  const isAlone = fields.length === 1;
  const blocks = fields.map((one) => {
    const lines = fieldCode(one, typescriptLanguage(use));
    // Without a block, two requests would declare the same names.
    return isAlone ? lines : ['{', ...lines.map((line) => `  ${line}`), '}'];
  });
  const imports = used.size > 0 ? `, { ${[...used].sort().join(', ')} }` : '';
  return [
    `import weaviate${imports} from 'weaviate-client';`,
    '',
    ...typescriptConnection(place),
    ...blocks.flat(),
    'await client.close();',
    '',
  ].join('\n');
}

function fieldCode(field: ConvertedField, language: Language): string[] {
  const { collection, tenant } = field.request;
  const level = field.method === 'Search' ? levelName(field.request.consistencyLevel) : null;
  const opened = [
    `const collection = client.collections.use${typeOf(field)}(${text(collection)})`,
    tenant && `.withTenant(${text(tenant)})`,
    level && `.withConsistency('${level}')`,
  ];
  const lines = [`${opened.filter((part) => part).join('')};`];
  if (field.method === 'Aggregate') return [...lines, ...aggregateCode(field.request, language)];
  const { generative, groupBy } = field.request;
  const call = searchCall(field.request, language);
  if (!generative) lines.push(...callCode('found', 'collection.query', [optionsOf(call)], call));
  else {
    const isPrompt = ([words]: Argument) =>
      ['singlePrompt', 'groupedTask', 'groupedProperties'].includes(camel(words));
    const prompts = call.given.filter(isPrompt);
    const given = call.given.filter((argument) => !isPrompt(argument));
    const options = [optionsOf({ given: prompts }), optionsOf({ given })];
    lines.push(
      ...generativeNotes(field.request, 'config: generativeParameters.…').map((note) => `// ${note}`),
      ...callCode('found', 'collection.generate', options, call),
    );
  }
  if (groupBy) {
    return [
      ...lines,
      'for (const [name, group] of Object.entries(found.groups)) console.log(name, group.numberOfObjects, group.objects);',
    ];
  }
  lines.push(printCode('found', field.request, language));
  if (generative?.grouped) lines.push('console.log(found.generative?.text);');
  for (const [at, request] of field.further.entries()) {
    const name = `further${at === 0 ? '' : at + 1}`;
    const next = searchCall({ ...request, filters: undefined }, language);
    const rows: Argument = [
      ['filters'],
      'collection.filter.byId().containsAny(found.objects.map(({ uuid }) => uuid))',
    ];
    const options = [optionsOf({ given: [rows, ...next.given] })];
    lines.push(
      '// The objects of another collection that the same rows point to.',
      ...callCode(name, 'collection.query', options, next),
      printCode(name, request, language),
    );
  }
  return lines;
}

/** Without the property types, the library accepts no property name in a sort, and demands a query for a rerank. */
function typeOf(field: ConvertedField): string {
  if (field.method === 'Aggregate') return '';
  const { collection, sortBy, rerank } = field.request;
  const isSorted = sortBy.some(({ path }) => path[0] !== '_id');
  return isSorted || rerank ? `<${text(collection)}, Record<string, any>>` : '';
}

function printCode(found: string, request: SearchRequest, language: Language): string {
  const { references, vectors, metadata, prompt } = printedParts(request, language);
  const parts = [
    'item.uuid',
    'item.properties',
    references && 'item.references',
    vectors && 'item.vectors',
    metadata && 'item.metadata',
    prompt && 'item.generative?.text',
  ];
  return `for (const item of ${found}.objects) console.log(${parts.filter((part) => part).join(', ')});`;
}

function aggregateCode(request: AggregateRequest, language: Language): string[] {
  const { groupBy, limit } = request;
  const call = aggregateCall(request, language);
  const { metrics, notes } = metricsOf(request, language);
  const group: Argument[] = groupBy
    ? [
        [
          ['group', 'by'],
          `{ property: ${text(groupBy.property)}${limit === undefined ? '' : `, limit: ${limit}`} }`,
        ],
      ]
    : [];
  const object = groupBy ? 'collection.aggregate.groupBy' : 'collection.aggregate';
  const options = [optionsOf({ given: [...call.given, ...group, ...metrics] })];
  const lines = [...notes.map((note) => `// ${note}`), ...callCode('found', object, options, call)];
  if (!groupBy) return [...lines, 'console.log(found.totalCount, found.properties);'];
  return [
    ...lines,
    'for (const group of found) console.log(group.groupedBy.value, group.totalCount, group.properties);',
  ];
}

function optionsOf({ given }: Pick<MethodCall, 'given'>): string[] {
  return given.map(([words, code]) => `${camel(words)}: ${code},`);
}

function callCode(
  found: string,
  object: string,
  options: string[][],
  { method, subject, given }: MethodCall,
): string[] {
  // The medium of `nearMedia` is an argument of its own.
  const medium = given.find(([words]) => camel(words) === 'mediaType')?.[1];
  const lines = options.map((one) => one.filter((line) => !line.startsWith('mediaType:')));
  const blocks = lines.flatMap((one) => ['{', ...one.map((line) => `  ${line}`), '}, ']);
  const first = [subject, medium].filter((one) => one != null).map((one) => `${one}, `);
  const open = `const ${found} = await ${object}.${camel(method)}(${first.join('')}`;
  return joined([open, ...blocks, ');']);
}

/** Writes `(` and `{`, and `}` and `)`, on one line. */
function joined(parts: string[]): string[] {
  const lines: string[] = [''];
  for (const part of parts) {
    const last = lines.length - 1;
    const continues = part === '{' || part === ');' || lines[last] === '';
    if (continues) lines[last] += part;
    else lines.push(part);
  }
  return lines.map((line) => line.replace(/\}, \{$/, '}, {').replace(/\}, \);$/, '});'));
}

const orders = new Set<Operator>([
  Operator.GREATER_THAN,
  Operator.GREATER_THAN_EQUAL,
  Operator.LESS_THAN,
  Operator.LESS_THAN_EQUAL,
]);

/** To the types of the library, only numbers and dates have an order. A `Date` has milliseconds only. */
function ordered(value: Json): string {
  if (typeof value !== 'string') return literal(value);
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/.test(value);
  return isDate ? `new Date(${text(value)})` : `${text(value)} as any`;
}

function text(value: string): string {
  return JSON.stringify(value);
}

function literal(value: Json): string {
  return JSON.stringify(value);
}

function named(given: Argument[]): string {
  return given.map(([words, code]) => `${camel(words)}: ${code}`).join(', ');
}

function typescriptLanguage(use: (name: string) => string): Language {
  const filter = (given: Filters): string => {
    const inner = given.filters.map(filter);
    if (given.operator === Operator.AND) return `${use('Filters')}.and(${inner.join(', ')})`;
    if (given.operator === Operator.OR) return `${use('Filters')}.or(${inner.join(', ')})`;
    if (given.operator === Operator.NOT) return `${use('Filters')}.not(${inner[0]})`;
    const { steps, end } = pathOf(given.target!);
    const way = steps.map(({ on, collection }) =>
      collection === undefined
        ? `.byRef(${text(on)})`
        : `.byRefMultiTarget(${text(on)}, ${text(collection)})`,
    );
    const place = `collection.filter${way.join('')}.${placeOf(end, given.operator)}`;
    if (given.operator === Operator.IS_NULL) return `${place}.isNull(${literal(valueOfFilter(given))})`;
    const method = camel(operatorWords[given.operator] ?? []);
    if (given.testValue.case !== 'valueGeo') {
      const value = valueOfFilter(given);
      return `${place}.${method}(${orders.has(given.operator) ? ordered(value) : literal(value)})`;
    }
    const { latitude, longitude, distance } = given.testValue.value;
    return `${place}.${method}({ latitude: ${shortFloat(latitude)}, longitude: ${shortFloat(longitude)}, distance: ${shortFloat(distance)} })`;
  };
  return {
    value: literal,
    filter,
    sort: ({ sortBy }) =>
      `collection.sort${sortBy
        .map(({ path, ascending }) =>
          path[0] === '_id' ? `.byId(${ascending})` : `.byProperty(${text(path[0] ?? '')}, ${ascending})`,
        )
        .join('')}`,
    target: (targets) => {
      const join = joinWords[targets.combination];
      if (!join)
        return literal(
          targets.targetVectors.length === 1 ? targets.targetVectors[0]! : targets.targetVectors,
        );
      const weights = targets.weightsForTargets.length > 0 ? weightsOf(targets) : targets.targetVectors;
      return `collection.multiTargetVector.${camel(join)}(${literal(weights)})`;
    },
    move: ({ force, concepts, uuids }) =>
      `{ force: ${shortFloat(force)}${concepts.length > 0 ? `, concepts: ${literal(concepts)}` : ''}${uuids.length > 0 ? `, objects: ${literal(uuids)}` : ''} }`,
    words: ({ operator, minimumOrTokensMatch }) =>
      operator === WordOperator.AND
        ? `${use('Bm25Operator')}.and()`
        : `${use('Bm25Operator')}.or({ minimumMatch: ${minimumOrTokensMatch ?? 1} })`,
    fusion: (name) => (name === 'ranked' ? "'Ranked'" : "'RelativeScore'"),
    innerSearch: (method, subject, given) => {
      const first = method[1] === 'text' ? 'query' : 'vector';
      return `{ ${[`${first}: ${subject}`, named(given)].filter((one) => one !== '').join(', ')} }`;
    },
    group: (given) =>
      `{ ${named(given.map(([words, code]) => [words[0] === 'prop' ? ['property'] : words, code]))} }`,
    rerank: (given) =>
      `{ ${named(given.map(([words, code]) => [words[0] === 'prop' ? ['property'] : words, code]))} }`,
    metadata: (metadata) => {
      const facts = factNames
        .filter(([field]) => metadata[field])
        .map(([field, words]) => (field === 'lastUpdateTimeUnix' ? 'updateTime' : camel([...words])));
      return facts.length > 0 ? literal(facts) : null;
    },
    properties: (properties) => `[${propertyCodes(properties).join(', ')}]`,
    references: (properties) => `[${referenceCodes(properties).join(', ')}]`,
    metric: ({ property, aggregation }) => {
      if (aggregation.case === 'reference') return null;
      const kind = aggregation.case === 'int' ? 'integer' : aggregation.case;
      const names = Object.entries(aggregation.value ?? {}).flatMap(([name, value]) =>
        value === true ? (metricNames[name] ?? [name]) : [],
      );
      const limit = aggregation.case === 'text' ? aggregation.value.topOccurencesLimit : undefined;
      const all = [literal(names), ...(limit === undefined ? [] : [limit])];
      return `collection.metrics.aggregate(${text(property)}).${kind}(${all.join(', ')})`;
    },
  };
}

/** The libraries have no member for the type of a property: the schema has it. */
const metricNames: { [field: string]: string[] } = {
  type: [],
  topOccurences: ['topOccurrencesOccurs', 'topOccurrencesValue'],
};

function placeOf(end: { property: string } | { count: string }, operator: Operator): string {
  if ('count' in end) return `byRefCount(${text(end.count)})`;
  const length = /^len\((.*)\)$/.exec(end.property)?.[1];
  if (length !== undefined) return `byProperty(${text(length)}, true)`;
  const isId = end.property === '_id' && idOperators.has(operator);
  return isId ? 'byId()' : `byProperty(${text(end.property)})`;
}

function propertyCodes(properties: PropertiesRequest | ObjectPropertiesRequest): string[] {
  const plain =
    'nonRefProperties' in properties ? properties.nonRefProperties : properties.primitiveProperties;
  return [
    ...plain.map(text),
    ...properties.objectProperties.map(
      (one) => `{ name: ${text(one.propName)}, properties: [${propertyCodes(one).join(', ')}] }`,
    ),
  ];
}

function referenceCodes({ refProperties }: PropertiesRequest): string[] {
  return refProperties.map(({ referenceProperty, properties, targetCollection }) => {
    const further = properties?.refProperties.length ? referenceCodes(properties) : [];
    const given = [
      `linkOn: ${text(referenceProperty)}`,
      `targetCollection: ${text(targetCollection)}`,
      `returnProperties: [${properties ? propertyCodes(properties).join(', ') : ''}]`,
      ...(further.length > 0 ? [`returnReferences: [${further.join(', ')}]`] : []),
    ];
    return `{ ${given.join(', ')} }`;
  });
}
