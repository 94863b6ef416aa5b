import { useReach } from './events.ts';

/**
 * Reloads the page after a part of it could not be loaded. A newer build may have removed files that this page still
 * names. Without a connection to the app, a reload would lose the changes that the app has not stored, so the page is
 * not reloaded.
 */
export function reloadForNewBuild(): void {
  const { reach } = useReach.getState();
  if (reach === 'lost' || reach === 'refused') return;
  const last = Number(sessionStorage.getItem('reloadedAt') ?? 0);
  if (Date.now() - last < 10_000) return;
  sessionStorage.setItem('reloadedAt', String(Date.now()));
  location.reload();
}
