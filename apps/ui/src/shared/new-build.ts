import { useReach } from './events.ts';

/**
 * Handles a part of the page that could not be loaded. A newer build may have removed files that this page still names.
 * After the reload the window shows the same tabs. Without a connection to the app, a reload would lose the changes
 * that the app has not stored, so the page stays.
 */
export function reloadForNewBuild(): void {
  const { reach } = useReach.getState();
  if (reach === 'lost' || reach === 'refused') return;
  const last = Number(sessionStorage.getItem('reloadedAt') ?? 0);
  if (Date.now() - last < 10_000) return;
  sessionStorage.setItem('reloadedAt', String(Date.now()));
  location.reload();
}
