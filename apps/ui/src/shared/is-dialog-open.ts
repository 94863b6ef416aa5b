/**
 * Whether a dialog is open. The page then ignores shortcuts. The grid's large editor and toasts have the role
 * of a dialog too, but do not count: saving must still work, and a toast may stay for long.
 */
export function isDialogOpen(): boolean {
  return document.querySelector(waiting) !== null;
}

const waiting = ['dialog', 'alertdialog']
  .map((role) => `[role=${role}]:not([data-grid-popup], [data-toast])`)
  .join();
