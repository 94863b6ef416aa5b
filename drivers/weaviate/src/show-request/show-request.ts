import type { RequestCode, ShownRequest } from '@trestle/driver-kit';
import { parse, print } from 'graphql';
import type { ServerPlace } from '../client.ts';
import type { FilterContext } from '../operators.ts';
import { pythonCode } from './python.ts';
import { type ShownQuery, shownQuery, variableOf } from './shown-query.ts';
import { typescriptCode } from './typescript.ts';

/** The code that requests a page or runs a search, in each language below. */
export function showRequest(shown: ShownRequest, context: FilterContext, place: ServerPlace): RequestCode[] {
  const query = shownQuery(shown, context, place);
  return [
    { label: 'GraphQL', language: 'graphql', text: `${print(parse(query.graphql))}\n` },
    { label: 'REST', language: 'http', text: restCode(query) },
    { label: 'Python', language: 'python', text: pythonCode(query) },
    { label: 'TypeScript', language: 'typescript', text: typescriptCode(query) },
  ];
}

/** A `curl` command. A page without filter and sort has a REST route; everything else uses GraphQL. */
function restCode(query: ShownQuery): string {
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
  const body = JSON.stringify({ query: query.graphql });
  const all = [
    `curl ${shellText(`${origin}/v1/graphql`)}`,
    "  -H 'Content-Type: application/json'",
    ...lines,
    `  -d ${shellText(body)}`,
  ];
  return `${all.join(' \\\n')}\n`;
}

/** Quotes any text as one word of a shell. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
