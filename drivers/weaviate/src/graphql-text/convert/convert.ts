import type { RequestCode } from '@trestle/driver-kit';
import { AggregateRequestSchema, connectPath, SearchRequestSchema, toJson } from '@trestle/weaviate-connect';
import type { ServerPlace } from '../../client.ts';
import type { Translation } from '../translate.ts';
import { pythonOf, type TranslatedRequest } from './python.ts';
import { typescriptOf } from './typescript.ts';

/** A translated query in each language. */
export function convert(translation: Translation, place: ServerPlace): RequestCode[] {
  const requests = requestsOf(translation);
  return [
    connectCode(translation),
    { label: 'Python', language: 'python', text: pythonOf(requests, place) },
    { label: 'TypeScript', language: 'typescript', text: typescriptOf(requests, place) },
  ];
}

/** The requests as lines that the editor runs. */
export function connectCode(translation: Translation): RequestCode {
  return { label: 'Connect', language: 'http', text: requestsOf(translation).map(connectText).join('\n') };
}

/** A request line with its body. The editor runs it. */
function connectText(one: TranslatedRequest): string {
  const json =
    one.method === 'Search'
      ? toJson(SearchRequestSchema, one.request)
      : toJson(AggregateRequestSchema, one.request);
  return `POST ${connectPath(one.method).replace(/^\/v1/, '')}\n${JSON.stringify(json, null, 2)}\n`;
}

/** The requests of a reference to several collections need the uuids of the first answer. */
const idsOfRows = ['<uuid of each row>'];

function requestsOf({ fields }: Translation): TranslatedRequest[] {
  return fields.flatMap(({ plan }): TranslatedRequest[] =>
    plan.method === 'Aggregate'
      ? [{ method: 'Aggregate', request: plan.request }]
      : [plan.request, ...plan.further(idsOfRows)].map((request) => ({ method: 'Search', request })),
  );
}
