/**
 * Whether a dialog is open. Most shortcuts do nothing then. The popups of a table tab (`data-grid-popup`) and toasts
 * have the role of a dialog too, but do not count. The shortcut for Save must work in such a popup, and a toast may
 * stay for long.
 */
export function isDialogOpen(): boolean {
  return document.querySelector(waiting) !== null;
}

const waiting = ['dialog', 'alertdialog']
  .map((role) => `[role=${role}]:not([data-grid-popup], [data-toast])`)
  .join();
