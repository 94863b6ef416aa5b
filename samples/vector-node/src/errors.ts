/** A refusal, in most cases with Weaviate's own message. If it occurs while a GraphQL query runs, the answer has status 200. */
export class ServerError extends Error {
  readonly status: number;
  /** `list`: `{error: [{message}]}`. `schema`: the same and `allowed`. `coded`: `{code, message}`. `empty`: no body. */
  readonly shape: 'list' | 'coded' | 'empty' | 'schema';
  readonly code: number;

  constructor(
    status: number,
    message: string,
    { shape = 'list', code = status }: { shape?: ServerError['shape']; code?: number } = {},
  ) {
    super(message);
    this.name = 'ServerError';
    this.status = status;
    this.shape = shape;
    this.code = code;
  }

  body(): unknown {
    if (this.shape === 'empty') return undefined;
    if (this.shape === 'coded') return { code: this.code, message: this.message };
    const error = [{ message: this.message }];
    return this.shape === 'schema' ? { allowed: null, error } : { error };
  }
}

export function notFound(): ServerError {
  return new ServerError(404, '', { shape: 'empty' });
}

/** An invalid value of a parameter or body field. Weaviate refuses it before any handler runs. */
export function malformed(message: string): ServerError {
  return new ServerError(422, message, { shape: 'coded', code: 601 });
}

/** A value of the wrong JSON type, with the message of Weaviate's JSON decoder. `target` is the end of that message. */
export function undecodable(value: unknown, target: string): ServerError {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const reason = `json: cannot unmarshal ${kind} into Go ${target}`;
  return new ServerError(400, `parsing body body from "" failed, because ${reason}`, { shape: 'coded' });
}

export function unprocessable(message: string): ServerError {
  return new ServerError(422, message);
}

export function schemaRefusal(message: string): ServerError {
  return new ServerError(422, message, { shape: 'schema' });
}

/** Weaviate's message for a filter text that has only stop words, or no words at all. */
export const onlyStopwords =
  'invalid search term, only stopwords provided. Stopwords can be configured in class.invertedIndexConfig.stopwords';

export function noSuchProperty(name: string, className: string): string {
  return `no such prop with name '${name}' found in class '${className}' in the schema. Check your schema files for which properties in this class are available`;
}

export function maximumExceeded(offset: number, limit: number, maximum: number): string {
  return `query maximum results exceeded: the total limit calculated from the provided offset '${offset}' and limit '${limit}' exceeds the configured value for QUERY_MAXIMUM_RESULTS '${maximum}'. If you've supplied a negative offset or limit, this may be an underflow error`;
}
