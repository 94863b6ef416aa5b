/**
 * A setting of a table that decides where the database sends a stored key of the connection, such as the address of a
 * model provider.
 */
export interface Endpoint {
  table: string;
  /** Its place in the table's definition, in lower case: `moduleconfig.text2vec-openai.baseurl`. */
  setting: string;
  value: string;
}

/**
 * Where the database may send the connection's stored keys for a request. `user`: the user sends the request, so
 * anywhere. Otherwise only to well-known model providers and to these endpoints. A request without a value counts as
 * one with an empty list.
 */
export type Outbound = 'user' | readonly Endpoint[];

/** What the user must approve before a client's request may be sent. All endpoints are of one table. */
export interface EndpointNeed {
  endpoints: Endpoint[];
  /** The names of the keys, never their values. */
  keys: string[];
}
