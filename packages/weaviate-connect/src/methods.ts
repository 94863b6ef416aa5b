import type { DescMessage } from '@bufbuild/protobuf';
import { AggregateReplySchema, AggregateRequestSchema } from './generated/aggregate_pb.ts';
import {
  BatchDeleteReplySchema,
  BatchDeleteRequestSchema,
  BatchObjectsReplySchema,
  BatchObjectsRequestSchema,
  BatchReferencesReplySchema,
  BatchReferencesRequestSchema,
} from './generated/batch_pb.ts';
import { SearchReplySchema, SearchRequestSchema } from './generated/search_pb.ts';
import { TenantsGetReplySchema, TenantsGetRequestSchema } from './generated/tenants_pb.ts';

export interface ConnectMethod<
  Request extends DescMessage = DescMessage,
  Reply extends DescMessage = DescMessage,
> {
  request: Request;
  reply: Reply;
}

/** The methods of `weaviate.v1.Weaviate` with one request and one reply. A path ends with the method's name. */
export const connectMethods = {
  Search: { request: SearchRequestSchema, reply: SearchReplySchema },
  Aggregate: { request: AggregateRequestSchema, reply: AggregateReplySchema },
  TenantsGet: { request: TenantsGetRequestSchema, reply: TenantsGetReplySchema },
  BatchObjects: { request: BatchObjectsRequestSchema, reply: BatchObjectsReplySchema },
  BatchReferences: { request: BatchReferencesRequestSchema, reply: BatchReferencesReplySchema },
  BatchDelete: { request: BatchDeleteRequestSchema, reply: BatchDeleteReplySchema },
} satisfies Record<string, ConnectMethod>;

export type ConnectMethodName = keyof typeof connectMethods;

const mount = '/v1/grpc-web/';

/** Answers without a key, in under a millisecond. A 404 means that the server, or a proxy, does not offer Connect. */
export const connectHealthPath = `${mount}grpc.health.v1.Health/Check`;

export function connectPath(method: ConnectMethodName): string {
  return `${mount}weaviate.v1.Weaviate/${method}`;
}

/** Without this header, the server answers 404. */
export const connectHeaders = { 'connect-protocol-version': '1' };

/** The content type of a message in its binary form. An error is JSON even then. */
export const connectBinary = 'application/proto';
