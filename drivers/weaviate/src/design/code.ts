import type { Json, RequestCode } from '@trestle/driver-kit';
import type { ServerPlace } from '../client.ts';
import { pythonConnection, typescriptConnection } from '../show-request/connection-code.ts';
import type { Config } from './setting.ts';

/** The creation of a collection as code for programs. */
export function creationCode(definition: Config, place: ServerPlace): RequestCode[] {
  const keys = place.hasKey || place.headers.length > 0;
  const python = [
    ...(keys ? ['import os'] : []),
    'import weaviate',
    ...(place.hasKey ? ['from weaviate.classes.init import Auth'] : []),
    '',
    ...pythonConnection(place),
    `    client.collections.create_from_dict(${pythonValue(definition, '    ')})`,
    '',
  ];
  const typescript = [
    "import weaviate from 'weaviate-client';",
    '',
    ...typescriptConnection(place),
    `await client.collections.createFromSchema(${JSON.stringify(definition, null, 2)});`,
    'await client.close();',
    '',
  ];
  return [
    { label: 'Python', language: 'python', text: python.join('\n') },
    { label: 'TypeScript', language: 'typescript', text: typescript.join('\n') },
  ];
}

/** JSON, with Python's words for true, false and null. */
function pythonValue(value: Json, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${pythonValue(one, inner)},`)
    : Object.entries(value).map(
        ([name, one]) => `${inner}${JSON.stringify(name)}: ${pythonValue(one, inner)},`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return lines.length === 0 ? `${open}${close}` : [open, ...lines, `${indent}${close}`].join('\n');
}
