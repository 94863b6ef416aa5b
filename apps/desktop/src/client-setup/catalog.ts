import type { BridgeCommand } from './bridge-command.ts';
import { type Client, clients, httpClient, writableFile } from './clients.ts';
import type { Places } from './places.ts';
import { httpSteps, type McpPorts, type Step, stepsFor } from './steps.ts';

/** A client as the window and the command line show it. */
export interface ClientGuide {
  id: string;
  label: string;
  /** Null if the client has no file that `trestle connect --write` can change. */
  configFile: string | null;
  steps: Step[];
}

/** `path`: another file than the client's default, such as a project's file. */
export function guideFor(client: Client, bridge: BridgeCommand, places: Places, path?: string): ClientGuide {
  const { id, label, config } = client;
  const configFile = writableFile(config, places) === null ? null : (path ?? writableFile(config, places));
  return { id, label, configFile, steps: stepsFor(client, bridge, places, path) };
}

export function httpGuide(ports: McpPorts, token: string): ClientGuide {
  return { ...httpClient, configFile: null, steps: httpSteps(ports, token) };
}

export function allGuides(bridge: BridgeCommand, places: Places): ClientGuide[] {
  return clients.map((client) => guideFor(client, bridge, places));
}
