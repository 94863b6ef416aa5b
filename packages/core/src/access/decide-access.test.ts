import type { Effect } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { AppError, appErrorDetails } from '../errors.ts';
import type { AiPolicy, Caller, ExternalClients, Permission, SafeMode } from '../types.ts';
import { type ApprovalState, decideAccess } from './decide-access.ts';

const externalLevels: ExternalClients[] = ['blocked', 'readOnly', 'readWrite'];
const policies: AiPolicy[] = ['alwaysAllow', 'askEachTime', 'never'];
const safeModes: SafeMode[] = ['off', 'confirm', 'readOnly'];
const approvals: ApprovalState[] = ['unasked', 'granted', 'refused', 'nobody', 'unanswered', 'crowded'];
const effects: Effect[] = ['read', 'write', 'destroy'];
const permissions: Permission[] = ['readOnly', 'readWrite', 'fullAccess'];
const allowlists = { none: null, includes: ['other', 'this'], excludes: ['other'], empty: [] };

interface Case {
  who: 'person' | 'token' | 'bridge';
  permission: Permission;
  allowlist: keyof typeof allowlists;
  externalClients: ExternalClients;
  aiPolicy: AiPolicy;
  safeMode: SafeMode;
  approval: ApprovalState;
  wanted: Effect;
}

function* everyCase(): Generator<Case> {
  for (const who of ['person', 'token', 'bridge'] as const)
    for (const permission of permissions)
      for (const allowlist of Object.keys(allowlists) as (keyof typeof allowlists)[])
        for (const externalClients of externalLevels)
          for (const aiPolicy of policies)
            for (const safeMode of safeModes)
              for (const approval of approvals)
                for (const wanted of effects)
                  yield { who, permission, allowlist, externalClients, aiPolicy, safeMode, approval, wanted };
}

/** The rules in order. Each has an answer and says to which cases it applies. The first rule that applies counts. */
const rules: [string, (at: Case) => boolean][] = [
  ['allow destroy', (at) => at.who === 'person' && at.safeMode !== 'readOnly'],
  ['allow read', (at) => at.who === 'person' && at.wanted === 'read'],
  ['read_only', (at) => at.who === 'person'],
  ['forbidden', (at) => at.allowlist === 'excludes' || at.allowlist === 'empty'],
  ['forbidden', (at) => at.externalClients === 'blocked'],
  ['forbidden', (at) => at.aiPolicy === 'never'],
  ['forbidden', (at) => at.wanted !== 'read' && at.permission === 'readOnly'],
  ['read_only', (at) => at.wanted !== 'read' && at.externalClients === 'readOnly'],
  ['forbidden', (at) => at.wanted === 'destroy' && at.who === 'bridge'],
  ['forbidden', (at) => at.wanted === 'destroy' && at.permission !== 'fullAccess'],
  ['ask', (at) => at.aiPolicy === 'askEachTime' && at.approval === 'unasked'],
  ['not_approved', (at) => at.aiPolicy === 'askEachTime' && at.approval !== 'granted'],
  ['allow read', (at) => at.externalClients === 'readOnly' || at.permission === 'readOnly'],
  ['allow write', (at) => at.permission === 'readWrite' || at.who === 'bridge'],
  ['allow destroy', () => true],
];

function decide(at: Case) {
  const caller: Caller =
    at.who === 'person'
      ? { kind: 'person' }
      : {
          kind: 'client',
          token: {
            kind: at.who === 'bridge' ? 'bridge' : 'user',
            id: 't',
            // The kind decides, never the name.
            name: at.who === 'bridge' ? 'mine' : '__stdio_bridge__',
            permission: at.permission,
            allowlist: allowlists[at.allowlist],
          },
          clientName: 'c',
          process: null,
        };
  const { externalClients, aiPolicy, safeMode, approval, wanted } = at;
  return decideAccess({
    caller,
    connection: { id: 'this', externalClients, aiPolicy, safeMode },
    approval,
    wanted,
  });
}

test('every combination is decided as the rules say', () => {
  let cases = 0;
  for (const at of everyCase()) {
    const decision = decide(at);
    const answer =
      decision.kind === 'allow'
        ? `allow ${decision.ceiling}`
        : decision.kind === 'refuse'
          ? decision.error.code
          : decision.kind;
    expect({ at, answer }).toEqual({ at, answer: rules.find(([, applies]) => applies(at))?.[0] });
    if (decision.kind === 'refuse') expect(String(decision.error.hint)).toMatch(/\.$/);
    cases++;
  }
  expect(cases).toBe(3 * 3 * 4 * 3 * 3 * 3 * 6 * 3);
});

test('a refusal names the setting that caused it', () => {
  const base: Case = {
    who: 'token',
    permission: 'readWrite',
    allowlist: 'none',
    externalClients: 'readOnly',
    aiPolicy: 'alwaysAllow',
    safeMode: 'off',
    approval: 'unasked',
    wanted: 'write',
  };
  const refused = decide(base);
  expect(refused.kind === 'refuse' && appErrorDetails(new AppError(refused.error))).toEqual({
    code: 'read_only',
    message: 'Connection is read only for external clients',
    hint: "Change External Clients in the connection's Advanced section, or run the query in the app's editor.",
  });
  const message = (changes: Partial<Case>) => {
    const decision = decide({ ...base, ...changes });
    return decision.kind === 'refuse' ? String(decision.error.message) : decision.kind;
  };
  expect(message({ externalClients: 'blocked' })).toMatch(/^Forbidden: External Clients is Blocked/);
  expect(message({ aiPolicy: 'never' })).toMatch(/^Forbidden: .*AI Policy is Never/);
  expect(message({ allowlist: 'excludes' })).toMatch(/^Forbidden: .*allowlist/);
});
