import { setTimeout as delay } from 'node:timers/promises';
import {
  fromJsonSchema,
  type McpServer,
  type RegisteredTool,
  ResourceTemplate,
  type ToolCallback,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** One red pixel, and a sound of no length. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const silence = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});
const nothing = z.object({});

/** The tools that the conformance suite calls to test contents, notifications and errors. */
export function contentTools(server: McpServer): Record<string, RegisteredTool> {
  const answers = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio' as const, data: silence, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  };
  const tools: Record<string, RegisteredTool> = {};
  for (const [name, content] of Object.entries(answers)) {
    tools[name] = server.registerTool(name, { description: name }, async () => ({ content }));
  }
  const add = (name: string, run: ToolCallback<typeof nothing>) => {
    tools[name] = server.registerTool(name, { description: name, inputSchema: nothing }, run);
  };
  add('test_tool_with_logging', async (_args, { mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      await delay(50);
    }
    return { content: [text('Done')] };
  });
  add('test_logging_tool', async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'A line for the log');
    return { content: [text('Done')] };
  });
  add('test_tool_with_progress', async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: 'notifications/progress', params });
      await delay(50);
    }
    return { content: [text(String(progressToken))] };
  });
  add('test_error_handling', async () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }));
  tools.json_schema_2020_12_tool = server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'A schema with keywords of 2020-12', inputSchema: fromJsonSchema(modernSchema) },
    async () => ({ content: [text('Done')] }),
  );
  const headers = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) });
  tools.test_x_mcp_header = server.registerTool(
    'test_x_mcp_header',
    { description: 'An argument that a header mirrors', inputSchema: headers },
    async ({ region }) => ({ content: [text(region)] }),
  );
  return tools;
}

const modernSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

export function contentResources(server: McpServer): void {
  const plain = (name: string, value: string) => {
    const uri = `test://${name}`;
    const mimeType = 'text/plain';
    server.registerResource(name, uri, { mimeType }, async () => ({
      contents: [{ uri, mimeType, text: value }],
    }));
  };
  plain('static-text', 'This is the content of the static text resource.');
  plain('watched-resource', 'Watched resource content');
  const binary = { uri: 'test://static-binary', mimeType: 'image/png', blob: pixel };
  server.registerResource('static-binary', binary.uri, { mimeType: binary.mimeType }, async () => ({
    contents: [binary],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const mimeType = 'application/json';
  server.registerResource('template', template, { mimeType }, async (uri, { id }) => ({
    contents: [
      {
        uri: uri.href,
        mimeType,
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
}

export function contentPrompts(server: McpServer): void {
  const say = (...contents: (ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>)[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content })),
  });
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments' }, async () =>
    say(text('This is a simple prompt for testing.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) =>
      say(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Process the resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, async () =>
    say(image, text('Look at the image above.')),
  );
}
