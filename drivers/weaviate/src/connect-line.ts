import { DriverError, type Effect } from '@trestle/driver-kit';
import {
  type ConnectMethod,
  type ConnectMethodName,
  connectHealthPath,
  connectMethods,
  connectPath,
  fromJson,
  type JsonValue,
  type MessageShape,
  toJson,
} from '@trestle/weaviate-connect';
import { isRecord } from './answer-shape.ts';
import { foldCase, type StrictJson } from './strict-json.ts';

const effects: { [name in ConnectMethodName]: Effect } = {
  Search: 'read',
  Aggregate: 'read',
  TenantsGet: 'read',
  BatchObjects: 'write',
  BatchReferences: 'write',
  // With `dryRun` it only counts. The server ignores a misspelt `dryRun`, and deletes.
  BatchDelete: 'destroy',
};

const methods = new Map(
  Object.entries(connectMethods).map(([name, method]) => {
    const known = name as ConnectMethodName;
    return [connectPath(known), { method: method as ConnectMethod, effect: effects[known] }] as const;
  }),
);

/** Connect is below this path. The case is folded: another spelling must not get a weaker judgement. */
export function isConnectPath(path: string): boolean {
  return /^\/v1\/grpc-web(\/|$)/.test(foldCase(path));
}

/** The effect of a request below `/v1/grpc-web`. A method that is not known counts as the strongest effect. */
export function effectOfConnect(method: string, path: string): Effect {
  if (method !== 'POST') return 'destroy';
  return path === connectHealthPath ? 'read' : (methods.get(path)?.effect ?? 'destroy');
}

/**
 * The body, written from its parsed message. The server ignores a key that it does not know without a word: with `filter`
 * for `filters`, it would return every row.
 */
export function connectBody(method: string, path: string, body: StrictJson | undefined): StrictJson {
  if (method !== 'POST') throw refused(`${path} takes POST`, 'Write POST before the path.');
  if (path === connectHealthPath) {
    if (body && (!isRecord(body.value) || Object.keys(body.value).length > 0))
      throw refused(`${path} takes the body {}`, 'Write {} as the body.');
    return { value: {}, text: '{}' };
  }
  const known = methods.get(path)?.method;
  if (!known) throw refused(`${path} is no method that Trestle knows`, `Known are ${knownNames}.`);
  if (!body) throw refused(`${path} needs a body`, 'Write the message as JSON below the line.');
  let message: MessageShape<typeof known.request>;
  try {
    message = fromJson(known.request, body.value as JsonValue);
  } catch (error) {
    throw refused(
      `The body is no ${known.request.name}: ${wordsOf(error)}`,
      'Check the names and types of the keys. The server would ignore a key that it does not know.',
    );
  }
  assertKnownEnums(known.request, message as unknown as { [field: string]: unknown });
  const value = toJson(known.request, message);
  return { value, text: JSON.stringify(value) };
}

/** A request line with its body. The editor runs it. */
export function connectLine(method: ConnectMethodName, body: JsonValue): string {
  return `POST ${connectPath(method).replace(/^\/v1/, '')}\n${JSON.stringify(body, null, 2)}\n`;
}

/** Stands for the uuids of the first answer, which the requests for a reference to several collections need. */
export const idsOfRows = ['<uuid of each row>'];

const knownNames = Object.keys(connectMethods).join(', ');

function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/^cannot decode message \S+ from JSON: /, '').slice(0, 300);
}

type Fields = ConnectMethod['request'];

/** A number may stand for a word of an enum. The server takes a number that it does not know for no value. */
function assertKnownEnums(schema: Fields, message: { [field: string]: unknown }): void {
  for (const field of schema.fields) {
    const found = field.oneof
      ? (message[field.oneof.localName] as { case?: string; value?: unknown })
      : { case: field.localName, value: message[field.localName] };
    if (found.case !== field.localName || found.value === undefined) continue;
    const values: unknown[] =
      field.fieldKind === 'list' || field.fieldKind === 'map'
        ? Object.values(found.value as object)
        : [found.value];
    for (const value of values) {
      if (field.enum && !field.enum.values.some(({ number }) => number === value))
        throw refused(`"${field.jsonName}" has no value ${value}`, 'Write the name of the value.');
      // A Struct holds plain JSON, without further fields of messages.
      if (field.message && isMessage(value)) assertKnownEnums(field.message, value);
    }
  }
}

function isMessage(value: unknown): value is { [field: string]: unknown } {
  return isRecord(value) && typeof value.$typeName === 'string';
}

function refused(message: string, hint: string): DriverError {
  return new DriverError({ code: 'refused', message, hint });
}
