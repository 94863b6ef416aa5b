import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
  validate,
} from 'graphql';
import { type ServerError, undecodable, unprocessable } from '../errors.ts';
import type { Limits } from '../search/get.ts';
import type { Database } from '../store/database.ts';
import { buildGraphqlSchema } from './schema.ts';

interface GraphqlRequest {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
}

/** Runs GraphQL queries. Builds the GraphQL schema again if the definitions of the collections have changed. */
export class GraphqlExecutor {
  readonly #database: Database;
  readonly #limits: Limits;
  #built: { version: number; schema: GraphQLSchema } | undefined;

  constructor(database: Database, limits: Limits) {
    this.#database = database;
    this.#limits = limits;
  }

  async run({ query, operationName, variables }: GraphqlRequest): Promise<object> {
    if (query !== undefined && query !== null && typeof query !== 'string') {
      throw undecodable(query, 'struct field GraphQLQuery.query of type string');
    }
    if (!query) throw unprocessable('query cannot be empty');
    if (this.#database.schema.all().length === 0) {
      throw noProvider();
    }
    let document: DocumentNode;
    try {
      document = parse(query);
    } catch (error) {
      if (error instanceof GraphQLError) return answer({ errors: [error] });
      throw error;
    }
    const schema = this.#schema();
    const errors = [...mutations(document), ...validate(schema, document)];
    if (errors.length > 0) return answer({ errors: errors.slice(0, 1) });
    return answer(
      await execute({
        schema,
        document,
        variableValues: (variables ?? undefined) as Record<string, unknown> | undefined,
        operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
      }),
    );
  }

  #schema(): GraphQLSchema {
    const { version } = this.#database.schema;
    if (this.#built?.version !== version) {
      this.#built = { version, schema: this.#build() };
    }
    return this.#built.schema;
  }

  /** A class with the name of a GraphQL type, such as `Weights`, disables GraphQL, as in Weaviate. */
  #build(): GraphQLSchema {
    try {
      return buildGraphqlSchema(this.#database, this.#limits);
    } catch (error) {
      throw /uniquely named types/.test(String(error)) ? noProvider() : error;
    }
  }
}

function noProvider(): ServerError {
  return unprocessable(
    'no graphql provider present, this is most likely because no schema is present. Import a schema first!',
  );
}

function mutations(document: DocumentNode): GraphQLError[] {
  return document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION && node.operation !== 'query'
      ? [new GraphQLError(`Schema is not configured for ${node.operation}s`, { nodes: [node] })]
      : [],
  );
}

function answer({ data, errors }: ExecutionResult): object {
  return {
    ...(data && { data }),
    ...(errors && {
      errors: errors.map(({ message, locations, path }) => ({ locations, message, path: path ?? null })),
    }),
  };
}
