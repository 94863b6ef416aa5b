import type { GroupsRequest, ObjectsRequest, SortKey } from '../model/objects.ts';
import type { Search, Targets } from '../model/search.ts';
import { readWhole, type Where } from '../model/where.ts';
import { checkName, EnumLiteral, type Literal, printArguments } from './literal.ts';
import { selectionOf } from './selection.ts';
import { whereLiteral } from './where-literal.ts';

interface Named {
  collection: string;
  tenant: string | undefined;
}

export function objectsQuery(request: ObjectsRequest, { collection, tenant }: Named): string {
  const { search, where, sort = [], limit, offset, autocut, rerank } = request;
  const isSorted = sort.length > 0;
  const given = {
    ...(search && searchArguments(search)),
    autocut,
    where: where ? whereLiteral(isSorted ? readWhole(where) : where) : undefined,
    sort: isSorted ? sort.map(sortLiteral) : undefined,
    limit,
    offset: offset || undefined,
    tenant,
  };
  const facts = (request.facts ?? []).map((fact) => (fact === 'changedAt' ? 'lastUpdateTimeUnix' : fact));
  const reranked = rerank ? [`rerank(${printArguments({ ...rerank })}) { score }`] : [];
  return getQuery(collection, given, selectionOf(request.properties, [...facts, ...reranked]));
}

export function groupsQuery(request: GroupsRequest, { collection, tenant }: Named): string {
  const { search, where, groupBy, limit, autocut } = request;
  const { property, groups, objectsPerGroup } = groupBy;
  const given = {
    ...searchArguments(search),
    autocut,
    groupBy: { path: [property], groups, objectsPerGroup },
    where: where ? whereLiteral(where) : undefined,
    limit,
    tenant,
  };
  return getQuery(collection, given, groupsSelection);
}

const groupsSelection = '_additional { group { groupedBy { value } hits { _additional { id distance } } } }';

export function countQuery(where: Where | null, { collection, tenant }: Named): string {
  const given = printArguments({ where: where ? whereLiteral(where) : undefined, tenant });
  return `{ Aggregate { ${checkName(collection)}${given && `(${given})`} { meta { count } } } }`;
}

export function getQuery(
  collection: string,
  given: { [name: string]: Literal | undefined },
  selection: string,
): string {
  const all = printArguments(given);
  return `{ Get { ${checkName(collection)}${all && `(${all})`} { ${selection} } } }`;
}

function sortLiteral({ path, order }: SortKey): Literal {
  return { path: [path], order: new EnumLiteral(order) };
}

function searchArguments(search: Search): { [name: string]: Literal | undefined } {
  switch (search.kind) {
    case 'nearText':
      return { nearText: { concepts: [search.text], ...near(search) } };
    case 'nearVector':
      return { nearVector: { vector: search.vector, ...near(search) } };
    case 'nearObject':
      return { nearObject: { id: search.id, ...near(search) } };
    case 'keyword': {
      const { query, properties, allWords } = search;
      return { bm25: { query, properties, searchOperator: wordsLiteral(allWords) } };
    }
    case 'hybrid': {
      const { query, alpha, vector, fusion, maxDistance, properties, allWords, targets } = search;
      return {
        hybrid: {
          query,
          alpha,
          vector,
          fusionType: fusion && new EnumLiteral(fusion),
          maxVectorDistance: maxDistance,
          properties,
          bm25SearchOperator: wordsLiteral(allWords),
          ...targetArguments(targets),
        },
      };
    }
  }
}

function near({ distance, targets }: { distance: number | undefined; targets: Targets | undefined }) {
  return { distance, ...targetArguments(targets) };
}

function wordsLiteral(allWords: boolean): Literal | undefined {
  return allWords ? { operator: new EnumLiteral('And') } : undefined;
}

function targetArguments(targets: Targets | undefined): { [name: string]: Literal } {
  if (!targets) return {};
  const { names, join } = targets;
  if (!join) return { targetVectors: names };
  const weights = join.weights && Object.fromEntries(join.weights.map(({ name, weight }) => [name, weight]));
  const combinationMethod = new EnumLiteral(join.method);
  return { targets: { targetVectors: names, combinationMethod, ...(weights && { weights }) } };
}
