import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProviderEndpoint {
  url: string;
  /** Every request so far: its path and all its headers. */
  seen: string[];
  close(): Promise<void>;
}

/** Listens as a model provider would, or a thief of keys. Answers embeddings and chats in the form of OpenAI. */
export async function startProviderEndpoint(): Promise<ProviderEndpoint> {
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push(`${request.url} ${JSON.stringify(request.rawHeaders)} ${Buffer.concat(chunks)}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    const embedding = [0.1, 0.2, 0.3];
    const message = { role: 'assistant', content: 'An answer of the endpoint.' };
    response.end(
      JSON.stringify({
        object: 'list',
        model: 'm',
        data: [{ object: 'embedding', index: 0, embedding }],
        choices: [{ index: 0, finish_reason: 'stop', message }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
