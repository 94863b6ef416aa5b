/**
 * Whether something waits over the page, which then takes no keys. Neither the large editor of the grid nor a
 * toast is such a thing, though each has the role of a dialog: saving goes on, and a toast may stay for long.
 */
export function isDialogOpen(): boolean {
  return document.querySelector(waiting) !== null;
}

const waiting = ['dialog', 'alertdialog']
  .map((role) => `[role=${role}]:not([data-grid-popup], [data-toast])`)
  .join();
