import type { McpServer, RegisteredTool, ServerEvent } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { contentPrompts, contentResources, contentTools } from './content-fixtures.ts';
import { legacyTools } from './legacy-fixtures.ts';
import { questionTools } from './question-fixtures.ts';

/** Adds to the product's server the tools, prompts and resources that the conformance suite expects. */
export function extend(server: McpServer, bus: { publish(event: ServerEvent): void }) {
  server.server.registerCapabilities({
    logging: {},
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  });
  contentResources(server);
  contentPrompts(server);
  server.server.setRequestHandler('logging/setLevel', async () => ({}));
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
  const trigger = (name: string, event: ServerEvent): Record<string, RegisteredTool> => ({
    [name]: server.registerTool(name, { description: name, inputSchema: z.object({}) }, async () => {
      bus.publish(event);
      return { content: [{ type: 'text', text: 'Changed' }] };
    }),
  });
  return {
    tools: {
      ...contentTools(server),
      ...questionTools(server),
      ...legacyTools(server),
      ...trigger('test_trigger_tool_change', { kind: 'tools_list_changed' }),
      ...trigger('test_trigger_prompt_change', { kind: 'prompts_list_changed' }),
    },
    complete: ({ ref }: { ref: { type: string; name?: string; uri?: string } }) =>
      ref.name?.startsWith('test_') || ref.uri?.startsWith('test://') ? ['paris', 'park'] : undefined,
  };
}
