/** The content of `mcp-handshake.json`, which the app writes for the bridge. */
export type Handshake = RunningHandshake | DisabledHandshake;

interface Common {
  /** The version of this format. */
  version: 1;
  pid: number;
  /** Each start of the app or of its server creates a new id. */
  instanceId: string;
  appVersion: string;
  /** ISO 8601, like every time in this file. */
  startedAt: string;
}

export interface RunningHandshake extends Common {
  state: 'running';
  port: number;
  token: string;
  tokenExpiresAt: string;
  /** Used to prove the app's identity. Never sent. */
  secret: string;
  protocolVersions: string[];
}

/** The user turned the server off: there is nothing to connect to, and starting the app would not help. */
export interface DisabledHandshake extends Common {
  state: 'disabled';
}

/** Parses the handshake, or returns the reason why it is invalid. Ignores unknown fields. */
export function parseHandshake(
  text: string,
): { ok: true; handshake: Handshake } | { ok: false; problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'it is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: 'it is not a JSON object' };
  }
  const fields = value as Record<string, unknown>;
  if (fields.version !== 1) return { ok: false, problem: 'its format is of another version' };
  const checks = fields.state === 'disabled' ? commonChecks : { ...commonChecks, ...runningChecks };
  if (fields.state !== 'running' && fields.state !== 'disabled')
    return { ok: false, problem: wrong('state') };
  const bad = Object.keys(checks).find((name) => !checks[name]?.(fields[name]));
  if (bad) return { ok: false, problem: wrong(bad) };
  return { ok: true, handshake: fields as unknown as Handshake };
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= 1024;
const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isPid: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0;
const isPort: Check = (value) => isPid(value) && (value as number) <= 65_535;
/** The token is sent in a header, so only these characters are allowed. */
const isToken: Check = (value) => isText(value) && /^[\w.~-]+$/.test(value as string);
const isVersions: Check = (value) => Array.isArray(value) && value.length <= 64 && value.every(isText);

const commonChecks: Record<string, Check> = {
  pid: isPid,
  instanceId: isText,
  appVersion: isText,
  startedAt: isTime,
};

const runningChecks: Record<string, Check> = {
  port: isPort,
  token: isToken,
  tokenExpiresAt: isTime,
  secret: isText,
  protocolVersions: isVersions,
};

function wrong(field: string): string {
  return `its field "${field}" is missing or wrong`;
}
