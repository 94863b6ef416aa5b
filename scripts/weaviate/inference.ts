import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embed } from '../../samples/vector-node/src/embed.ts';

interface InferenceEndpoint {
  url: string;
  close(): Promise<void>;
}

/**
 * An inference endpoint for text2vec-transformers that answers from the sample's word vectors. A Weaviate server needs
 * it to run nearText.
 */
export async function startInference(): Promise<InferenceEndpoint> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body?: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    };
    if (request.method === 'GET') {
      if (request.url?.startsWith('/.well-known/')) return answer(204);
      return answer(200, { model: 'trestle word vectors' });
    }
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string };
      const vector = Array.from(embed(text));
      answer(200, { text, dims: vector.length, vector });
    } catch (error) {
      answer(400, { error: error instanceof Error ? error.message : String(error) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
