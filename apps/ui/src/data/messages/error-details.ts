import { type ApiError, api } from '../api/api.ts';
import type { AppInfo } from '../api/api-types.ts';
import { queryClient } from '../queries/queries.ts';
import { queryKeys } from '../queries/query-keys.ts';

/**
 * An error as text for a report: message, hint, code, connection, version and time. The app has already redacted
 * its errors.
 */
export function errorDetails(
  { code, message, hint }: Pick<ApiError, 'code' | 'message' | 'hint'>,
  at: { connection: string | null; version: string | null; time: Date },
): string {
  const lines = [
    message,
    ...(hint ? [hint] : []),
    '',
    `Code: ${code}`,
    ...(at.connection === null ? [] : [`Connection: ${at.connection}`]),
    ...(at.version === null ? [] : [`Trestle: ${at.version}`]),
    `Time: ${at.time.toISOString()}`,
  ];
  return lines.join('\n');
}

export async function copyDetails(error: ApiError, connection: string | null): Promise<void> {
  const text = errorDetails(error, { connection, version: await appVersion(), time: new Date() });
  await navigator.clipboard.writeText(text);
}

/** Null if the version cannot be read. */
async function appVersion(): Promise<string | null> {
  const known = queryClient.getQueryData<AppInfo>(queryKeys.appInfo);
  const info = known ?? (await api.app.info.query().catch(() => null));
  return info?.version ?? null;
}
