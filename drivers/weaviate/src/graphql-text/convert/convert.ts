import type { RequestCode } from '@trestle/driver-kit';
import { AggregateRequestSchema, SearchRequestSchema, toJson } from '@trestle/weaviate-connect';
import type { ServerPlace } from '../../client.ts';
import { connectLine, idsOfRows } from '../../connect-line.ts';
import type { Translation } from '../translate.ts';
import type { ConvertedField } from './language.ts';
import { pythonOf } from './python.ts';
import { typescriptOf } from './typescript.ts';

/** A translated query in each language. */
export function convert(translation: Translation, place: ServerPlace): RequestCode[] {
  const fields = fieldsOf(translation);
  return [
    connectCode(translation),
    { label: 'Python', language: 'python', text: pythonOf(fields, place) },
    { label: 'TypeScript', language: 'typescript', text: typescriptOf(fields, place) },
  ];
}

/** The requests as lines that the editor runs. */
export function connectCode(translation: Translation): RequestCode {
  const lines = fieldsOf(translation).flatMap((field) => {
    if (field.method === 'Aggregate')
      return [connectLine('Aggregate', toJson(AggregateRequestSchema, field.request))];
    return [field.request, ...field.further].map((request) =>
      connectLine('Search', toJson(SearchRequestSchema, request)),
    );
  });
  return { label: 'Connect', language: 'http', text: lines.join('\n') };
}

function fieldsOf({ fields }: Translation): ConvertedField[] {
  return fields.map(({ plan }): ConvertedField => {
    if (plan.method === 'Aggregate') return { method: 'Aggregate', request: plan.request };
    const { limit } = plan.request;
    const further = plan.further(idsOfRows).map((request) => ({ ...request, limit }));
    return { method: 'Search', request: plan.request, further };
  });
}
