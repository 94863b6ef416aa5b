import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** A certificate and its key, with which the server cannot accept any connection. */
export const closedGrpc = join(import.meta.dirname, 'closed-grpc');

export interface ServerSettings {
  /** Defaults to anonymous access. */
  apiKey?: string;
  maximumResults?: number;
  /**
   * The address of an inference endpoint for text2vec-transformers, as seen from the server. The endpoint
   * gives the server `nearText`.
   */
  inferenceUrl?: string;
  environment?: Record<string, string>;
}

/**
 * The environment of every server, as a process or in a container. Gossip and raft each need two consecutive ports.
 * Otherwise no leader is elected.
 */
export function settingsOf(
  settings: ServerSettings,
  {
    dataPath,
    firstClusterPort: first,
    grpcCertificates,
  }: { dataPath: string; firstClusterPort: number; grpcCertificates: string | null },
): Record<string, string> {
  return {
    PERSISTENCE_DATA_PATH: dataPath,
    CLUSTER_HOSTNAME: 'node1',
    CLUSTER_IN_LOCALHOST: 'true',
    CLUSTER_ADVERTISE_ADDR: '127.0.0.1',
    CLUSTER_BIND_ADDR: '127.0.0.1',
    CLUSTER_GOSSIP_BIND_PORT: String(first),
    CLUSTER_DATA_BIND_PORT: String(first + 1),
    RAFT_PORT: String(first + 2),
    RAFT_INTERNAL_RPC_PORT: String(first + 3),
    RAFT_BOOTSTRAP_EXPECT: '1',
    GRPC_PORT: String(first + 4),
    // Weaviate opens gRPC and the cluster API to the network, even with `--host 127.0.0.1`, and the cluster API
    // ignores API keys. So the cluster API gets a random password, and gRPC a certificate that no client can use. A
    // limit for the size of a message would close Connect too, which is on the port of REST.
    ...(grpcCertificates !== null && {
      GRPC_CERT_FILE: `${grpcCertificates}/certificate.pem`,
      GRPC_KEY_FILE: `${grpcCertificates}/key.pem`,
    }),
    CLUSTER_BASIC_AUTH_USERNAME: 'trestle',
    CLUSTER_BASIC_AUTH_PASSWORD: randomBytes(24).toString('hex'),
    GO_PROFILING_DISABLE: 'true',
    DISABLE_TELEMETRY: 'true',
    DEFAULT_VECTORIZER_MODULE: 'none',
    QUERY_MAXIMUM_RESULTS: String(settings.maximumResults ?? 10_000),
    LOG_LEVEL: 'warning',
    ...(settings.apiKey === undefined
      ? { AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED: 'true' }
      : {
          AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED: 'false',
          AUTHENTICATION_APIKEY_ENABLED: 'true',
          AUTHENTICATION_APIKEY_ALLOWED_KEYS: settings.apiKey,
          AUTHENTICATION_APIKEY_USERS: 'trestle',
        }),
    ...(settings.inferenceUrl && {
      ENABLE_MODULES: 'text2vec-transformers',
      TRANSFORMERS_INFERENCE_API: settings.inferenceUrl,
    }),
    ...settings.environment,
  };
}
