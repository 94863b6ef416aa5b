import { freePorts } from '../../scripts/weaviate/ports.ts';
import { startWeaviate, type WeaviateServer } from '../../scripts/weaviate/server.ts';

/** Three nodes of one cluster on loopback. A restarted node keeps its ports and its data. */
export async function startCluster(binary: string): Promise<WeaviateServer[]> {
  const names = ['node1', 'node2', 'node3'];
  // Each node has five ports besides REST: gossip, data, Raft, Raft's internal RPC and gRPC.
  const first = await freePorts(5 * names.length);
  const base = (index: number) => first + 5 * index;
  const raftPeers = names.map((name, index) => `${name}:${base(index) + 2}`).join(',');
  const environment = (index: number) => ({
    CLUSTER_HOSTNAME: names[index]!,
    CLUSTER_GOSSIP_BIND_PORT: String(base(index)),
    CLUSTER_DATA_BIND_PORT: String(base(index) + 1),
    RAFT_PORT: String(base(index) + 2),
    RAFT_INTERNAL_RPC_PORT: String(base(index) + 3),
    GRPC_PORT: String(base(index) + 4),
    RAFT_BOOTSTRAP_EXPECT: String(names.length),
    RAFT_JOIN: raftPeers,
    // The nodes must share this password to talk to each other.
    CLUSTER_BASIC_AUTH_PASSWORD: 'three-nodes-on-loopback',
    CLUSTER_JOIN: index === 0 ? '' : `127.0.0.1:${base(0)}`,
  });
  return Promise.all(names.map((_, index) => startWeaviate({ binary, environment: environment(index) })));
}
