import { type McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '@trestle/core';
import { resourceResult } from '../answer/answer.ts';
import { protocolFailure } from '../errors.ts';
import { type Asked, askedOf } from '../keep-alive.ts';
import { type Serving, serveCall } from '../serve-call.ts';
import { type ResourceDefinition, resources } from './resources.ts';

export function registerResources(
  server: McpServer,
  serving: Serving,
  callerOf: (context: ServerContext) => Caller,
): void {
  for (const resource of resources) {
    const { name, title, description, uri } = resource;
    const config = { title, description, mimeType };
    const read = (at: URL, variables: Variables, context: ServerContext) =>
      readResource(resource, at.href, variables, serving, {
        asked: askedOf(context),
        caller: callerOf(context),
      });
    if (!uri.includes('{')) {
      server.registerResource(name, uri, config, (at, context) => read(at, {}, context));
      continue;
    }
    const list = resource.list && {
      list: (context: ServerContext) => ({
        resources:
          resource.list?.(serving.core, callerOf(context)).map((one) => ({ ...one, mimeType })) ?? [],
      }),
    };
    const template = new ResourceTemplate(uri, { list: undefined, ...list });
    server.registerResource(name, template, config, read);
  }
}

type Variables = Record<string, string | string[]>;

const mimeType = 'text/plain';

async function readResource(
  resource: ResourceDefinition,
  uri: string,
  variables: Variables,
  serving: Serving,
  request: { asked: Asked; caller: Caller },
) {
  try {
    const decoded = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, decodeURIComponent(String(value))]),
    );
    const action = `resource ${resource.name}`;
    const { text } = await serveCall(serving, { ...request, action }, (call) => resource.read(decoded, call));
    return resourceResult({ uri, mimeType }, text);
  } catch (error) {
    throw protocolFailure(error, serving.log, { uri });
  }
}
