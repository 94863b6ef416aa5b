import type { RequestCode, ShownRequest } from '@trestle/driver-kit';
import { connectPath, SearchRequestSchema, toJson } from '@trestle/weaviate-connect';
import { parse, print } from 'graphql';
import type { ServerPlace } from '../client.ts';
import { connectLine, idsOfRows } from '../connect-line.ts';
import type { FilterContext } from '../operators.ts';
import { furtherRounds, groupsMessage, objectsMessage } from '../requests/connect/write-search.ts';
import { groupsQuery, objectsQuery } from '../requests/graphql/write.ts';
import type { ObjectsRequest } from '../requests/model/objects.ts';
import { idsIn } from '../requests/model/where.ts';
import { pythonCode } from './python.ts';
import { type ShownQuery, shownQuery, variableOf } from './shown-query.ts';
import { typescriptCode } from './typescript.ts';

/** The code that requests a page or runs a search, in each language below. */
export function showRequest(
  shown: ShownRequest,
  context: FilterContext,
  { place, offersConnect }: { place: ServerPlace; offersConnect: boolean },
): RequestCode[] {
  const query = shownQuery(shown, context, place);
  const sent = offersConnect ? connectRequest(query) : graphqlRequest(query);
  return [
    sent.code,
    { label: 'REST', language: 'http', text: restCode(query, sent) },
    { label: 'Python', language: 'python', text: pythonCode(query) },
    { label: 'TypeScript', language: 'typescript', text: typescriptCode(query) },
  ];
}

/** The requests as the driver sends them, and as the bodies of REST requests. */
interface SentRequest {
  code: RequestCode;
  path: string;
  headers: string[];
  bodies: string[];
}

function graphqlRequest({ request, ...at }: ShownQuery): SentRequest {
  const query = 'groups' in request ? groupsQuery(request.groups, at) : objectsQuery(request.objects, at);
  return {
    code: { label: 'GraphQL', language: 'graphql', text: `${print(parse(query))}\n` },
    path: '/v1/graphql',
    headers: [],
    bodies: [JSON.stringify({ query })],
  };
}

/** The driver sends the same messages in their binary form. */
function connectRequest({ request, ...at }: ShownQuery): SentRequest {
  const messages =
    'groups' in request ? [groupsMessage(request.groups, at)] : objectsMessages(request.objects, at);
  const bodies = messages.map((message) => toJson(SearchRequestSchema, message));
  return {
    code: {
      label: 'Connect',
      language: 'http',
      text: bodies.map((body) => connectLine('Search', body)).join('\n'),
    },
    path: connectPath('Search'),
    headers: ["'Connect-Protocol-Version: 1'"],
    bodies: bodies.map((body) => JSON.stringify(body)),
  };
}

function objectsMessages(request: ObjectsRequest, at: Parameters<typeof objectsMessage>[1]) {
  const { properties, limit } = request;
  const further = furtherRounds(properties).map(({ round, references }) =>
    objectsMessage({ properties: references, where: idsIn(idsOfRows), limit }, at, round),
  );
  return [objectsMessage(request, at), ...further];
}

/** A `curl` command for each request. A page without filter and sort has a REST route. */
function restCode(query: ShownQuery, sent: SentRequest): string {
  const { place, where, sort, search, collection, limit, offset, tenant } = query;
  const origin = `${place.secure ? 'https' : 'http'}://${place.host}:${place.port}`;
  const headers = [
    ...(place.hasKey ? ['"Authorization: Bearer $WEAVIATE_API_KEY"'] : []),
    ...place.headers.map((name) => `"${name}: $${variableOf(name)}"`),
  ];
  const lines = headers.map((header) => `  -H ${header}`);
  if (!search && !where && sort.length === 0) {
    const given = new URLSearchParams({ class: collection, limit: String(limit) });
    if (offset > 0) given.set('offset', String(offset));
    if (tenant !== undefined) given.set('tenant', tenant);
    return `${[`curl ${shellText(`${origin}/v1/objects?${given}`)}`, ...lines].join(' \\\n')}\n`;
  }
  const commands = sent.bodies.map((body) =>
    [
      `curl ${shellText(`${origin}${sent.path}`)}`,
      "  -H 'Content-Type: application/json'",
      ...sent.headers.map((header) => `  -H ${header}`),
      ...lines,
      `  -d ${shellText(body)}`,
    ].join(' \\\n'),
  );
  return `${commands.join('\n\n')}\n`;
}

/** Quotes any text as one word of a shell. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
