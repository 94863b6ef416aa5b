import type { SelectOption } from '../../controls/fields/select.tsx';
import { counted } from '../../controls/text/counted.ts';
import { dayWords } from '../../controls/text/date-words.ts';
import { timeAgo } from '../../controls/text/time-ago.ts';
import type { Token } from '../../data/api/api-types.ts';

export const permissions: SelectOption<Token['permission']>[] = [
  { value: 'readOnly', label: 'Read only', detail: 'Reads tables and runs statements that read.' },
  {
    value: 'readWrite',
    label: 'Read and write',
    detail: 'Also changes rows, where the connection allows it.',
  },
  {
    value: 'fullAccess',
    label: 'Full access',
    detail: 'Also destructive statements; each needs your approval in this window.',
  },
];

export const lifetimes: SelectOption<'7' | '30' | '90' | '365' | 'never'>[] = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never' },
];

export function permissionLabel(permission: Token['permission']): string {
  return permissions.find(({ value }) => value === permission)?.label ?? permission;
}

export function expiryAfter(lifetime: (typeof lifetimes)[number]['value'], now: Date): string | null {
  return lifetime === 'never' ? null : new Date(now.getTime() + Number(lifetime) * 86_400_000).toISOString();
}

/** The connections that a token may use. While the list of connections is not loaded, gives only their number. */
export function reachWords(
  allowlist: Token['allowlist'],
  connections: { id: string; name: string }[] | undefined,
): string {
  if (!allowlist) return 'Every connection';
  if (!connections) return `Only ${counted(allowlist.length, 'connection')}`;
  const nameOf = (id: string) => connections.find((one) => one.id === id)?.name ?? 'deleted connection';
  return `Only ${allowlist.map(nameOf).join(', ')}`;
}

/** The state of a token in one line. `isOver`: the token no longer gives access. */
export function tokenState(token: Token, now: Date): { words: string; isOver: boolean } {
  if (token.revokedAt) return { words: `Revoked on ${day(token.revokedAt)}`, isOver: true };
  if (token.expiresAt && new Date(token.expiresAt) <= now) {
    return { words: `Expired on ${day(token.expiresAt)}`, isOver: true };
  }
  const used = token.lastUsedAt ? `Last used ${timeAgo(token.lastUsedAt, now)}` : 'Never used';
  return {
    words: `${used} · ${token.expiresAt ? `expires on ${day(token.expiresAt)}` : 'does not expire'}`,
    isOver: false,
  };
}

function day(iso: string): string {
  return dayWords(new Date(iso));
}
