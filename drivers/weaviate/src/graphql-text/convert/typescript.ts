import type { Json } from '@trestle/driver-kit';
import type {
  AggregateRequest,
  Filters,
  ObjectPropertiesRequest,
  PropertiesRequest,
} from '@trestle/weaviate-connect';
import {
  Filters_Operator as Operator,
  SearchOperatorOptions_Operator as WordOperator,
} from '@trestle/weaviate-connect';
import type { ServerPlace } from '../../client.ts';
import { variableOf } from '../../show-request/shown-query.ts';
import {
  type Argument,
  aggregateCall,
  type Language,
  levelName,
  type MethodCall,
  searchCall,
} from './language.ts';
import { camel, joinWords, operatorWords, pathOf, shortFloat, valueOfFilter, weightsOf } from './messages.ts';
import { factNames, idOperators, type TranslatedRequest } from './python.ts';

/** For `weaviate-client` 3. */
export function typescriptOf(requests: TranslatedRequest[], place: ServerPlace): string {
  const used = new Set<string>();
  const use = (name: string) => {
    used.add(name);
    return name;
  };
  const isAlone = requests.length === 1;
  const blocks = requests.map((one) => {
    const lines = requestCode(one, typescriptLanguage(use));
    // Without a block, two requests would declare the same names.
    return isAlone ? lines : ['{', ...lines.map((line) => `  ${line}`), '}'];
  });
  const imports = used.size > 0 ? `, { ${[...used].sort().join(', ')} }` : '';
  const { host, port, secure, hasKey, headers } = place;
  return [
    `import weaviate${imports} from 'weaviate-client';`,
    '',
    'const client = await weaviate.connectToCustom({',
    `  httpHost: ${text(host)}, httpPort: ${port}, httpSecure: ${secure},`,
    `  grpcHost: ${text(host)}, grpcPort: 50051, grpcSecure: ${secure},`,
    ...(hasKey ? ["  authCredentials: new weaviate.ApiKey(process.env.WEAVIATE_API_KEY ?? ''),"] : []),
    ...(headers.length > 0
      ? [
          `  headers: { ${headers.map((name) => `${text(name)}: process.env.${variableOf(name)} ?? ''`).join(', ')} },`,
        ]
      : []),
    '});',
    ...blocks.flat(),
    'await client.close();',
    '',
  ].join('\n');
}

function requestCode(one: TranslatedRequest, language: Language): string[] {
  const { collection, tenant } = one.request;
  const level = one.method === 'Search' ? levelName(one.request.consistencyLevel) : null;
  const opened = [
    `const collection = client.collections.use(${text(collection)})`,
    tenant && `.withTenant(${text(tenant)})`,
    level && `.withConsistency('${level}')`,
  ];
  const lines = [`${opened.filter((part) => part).join('')};`];
  if (one.method === 'Aggregate') return [...lines, ...aggregateCode(one.request, language)];
  const { generative, groupBy } = one.request;
  const call = searchCall(one.request, language);
  if (!generative) lines.push(...callCode('collection.query', [optionsOf(call)], call));
  else {
    const isPrompt = ([words]: Argument) =>
      ['singlePrompt', 'groupedTask', 'groupedProperties'].includes(camel(words));
    const prompts = call.given.filter(isPrompt);
    const given = call.given.filter((argument) => !isPrompt(argument));
    const providers = [...(generative.single?.queries ?? []), ...(generative.grouped?.queries ?? [])];
    if (providers.length > 0)
      lines.push('// Add config: generativeParameters.… with the settings of the provider.');
    lines.push(
      ...callCode('collection.generate', [optionsOf({ given: prompts }), optionsOf({ given })], call),
    );
  }
  if (groupBy) {
    lines.push(
      'for (const [name, group] of Object.entries(found.groups)) console.log(name, group.numberOfObjects, group.objects);',
    );
    return lines;
  }
  return [
    ...lines,
    'for (const item of found.objects) console.log(item.uuid, item.properties, item.metadata);',
  ];
}

function aggregateCode(request: AggregateRequest, language: Language): string[] {
  const { groupBy, limit, aggregations } = request;
  const call = aggregateCall(request, language);
  const group: Argument[] = groupBy
    ? [
        [
          ['group', 'by'],
          `{ property: ${text(groupBy.property)}${limit === undefined ? '' : `, limit: ${limit}`} }`,
        ],
      ]
    : [];
  const metrics: Argument[] =
    aggregations.length > 0
      ? [[['return', 'metrics'], `[${aggregations.map(language.metric).join(', ')}]`]]
      : [];
  const object = groupBy ? 'collection.aggregate.groupBy' : 'collection.aggregate';
  const lines = callCode(object, [optionsOf({ given: [...call.given, ...group, ...metrics] })], call);
  if (!groupBy) return [...lines, 'console.log(found.totalCount, found.properties);'];
  return [
    ...lines,
    'for (const group of found) console.log(group.groupedBy.value, group.totalCount, group.properties);',
  ];
}

function optionsOf({ given }: Pick<MethodCall, 'given'>): string[] {
  return given.map(([words, code]) => `${camel(words)}: ${code},`);
}

function callCode(object: string, options: string[][], { method, subject, given }: MethodCall): string[] {
  // The medium of `nearMedia` is an argument of its own.
  const medium = given.find(([words]) => camel(words) === 'mediaType')?.[1];
  const lines = options.map((one) => one.filter((line) => !line.startsWith('mediaType:')));
  const blocks = lines.flatMap((one) => ['{', ...one.map((line) => `  ${line}`), '}, ']);
  const first = [subject, medium].filter((one) => one != null).map((one) => `${one}, `);
  const open = `const found = await ${object}.${camel(method)}(${first.join('')}`;
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
    if (given.testValue.case !== 'valueGeo') return `${place}.${method}(${literal(valueOfFilter(given))})`;
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
      const facts = factNames.filter(([field]) => metadata[field]).map(([, words]) => camel(words));
      return facts.length > 0 ? literal(facts) : null;
    },
    properties: (properties) => `[${propertyCodes(properties).join(', ')}]`,
    references: (properties) => `[${referenceCodes(properties).join(', ')}]`,
    metric: ({ property, aggregation }) => {
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
