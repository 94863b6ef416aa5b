import type { Page } from 'playwright-core';

/** Lets the first `after` searches of the window through, and holds the others until they are released. */
export async function holdSearches(page: Page, after: number) {
  let asked = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/data/search', async (route) => {
    asked += 1;
    if (asked > after) await released;
    // A search that the page has cancelled cannot continue.
    await route.continue().catch(() => {});
  });
  return {
    get asked() {
      return asked;
    },
    release,
  };
}
