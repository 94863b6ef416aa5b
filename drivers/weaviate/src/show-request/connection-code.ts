import type { ServerPlace } from '../client.ts';
import { jsonCode, variableOf } from './shown-query.ts';

/** The lines that connect the client library in Python. The lines after them are indented. */
export function pythonConnection({ host, port, secure, hasKey, headers }: ServerPlace): string[] {
  const isHosted = isWeaviateCloud({ host, port, secure, hasKey });
  const bool = secure ? 'True' : 'False';
  const named = headers.map((name) => `${jsonCode(name)}: os.environ[${jsonCode(variableOf(name))}]`);
  return [
    ...(isHosted ? [] : [`# ${grpcNote}`]),
    `with weaviate.${isHosted ? 'connect_to_weaviate_cloud' : 'connect_to_custom'}(`,
    ...(isHosted
      ? [`    cluster_url=${jsonCode(host)},`]
      : [
          `    http_host=${jsonCode(host)}, http_port=${port}, http_secure=${bool},`,
          `    grpc_host=${jsonCode(host)}, grpc_port=50051, grpc_secure=${bool},`,
        ]),
    ...(hasKey ? ['    auth_credentials=Auth.api_key(os.environ["WEAVIATE_API_KEY"]),'] : []),
    ...(headers.length > 0 ? [`    headers={${named.join(', ')}},`] : []),
    ') as client:',
  ];
}

export function typescriptConnection({ host, port, secure, hasKey, headers }: ServerPlace): string[] {
  const isHosted = isWeaviateCloud({ host, port, secure, hasKey });
  const named = headers.map((name) => `${jsonCode(name)}: process.env.${variableOf(name)} ?? ''`);
  return [
    ...(isHosted ? [] : [`// ${grpcNote}`]),
    `const client = await weaviate.${isHosted ? `connectToWeaviateCloud(${jsonCode(host)}, ` : 'connectToCustom('}{`,
    ...(isHosted
      ? []
      : [
          `  httpHost: ${jsonCode(host)}, httpPort: ${port}, httpSecure: ${secure},`,
          `  grpcHost: ${jsonCode(host)}, grpcPort: 50051, grpcSecure: ${secure},`,
        ]),
    ...(hasKey ? ["  authCredentials: new weaviate.ApiKey(process.env.WEAVIATE_API_KEY ?? ''),"] : []),
    ...(headers.length > 0 ? [`  headers: { ${named.join(', ')} },`] : []),
    '});',
  ];
}

const grpcNote = 'The library uses gRPC too. 50051 is its usual port.';

/** A hosted cluster has another host for gRPC. The libraries derive it from the address of the cluster. */
function isWeaviateCloud({ host, port, secure, hasKey }: Omit<ServerPlace, 'headers'>): boolean {
  return secure && hasKey && port === 443 && /\.weaviate\.(cloud|network)$/.test(host);
}
