export {
  create,
  fromBinary,
  /** Refuses an unknown key, as the server does not. */
  fromJson,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
export * from './generated/aggregate_pb.ts';
export * from './generated/batch_pb.ts';
export * from './generated/filters_pb.ts';
export * from './generated/generative_pb.ts';
export * from './generated/search_pb.ts';
export * from './generated/tenants_pb.ts';
export * from './generated/values_pb.ts';
export * from './generated/vectors_pb.ts';
export {
  type ConnectMethod,
  type ConnectMethodName,
  connectBinary,
  connectHeaders,
  connectHealthPath,
  connectMethods,
  connectPath,
} from './methods.ts';
