import type { Page } from 'playwright-core';

/** Holds the window's requests to a path until they are released. Until `hold` is called, they pass. */
export async function holdRequests(page: Page, path: string) {
  let isHeld = false;
  let held = 0;
  let release = () => {};
  let released = Promise.resolve();
  await page.route(path, async (route) => {
    if (isHeld) {
      held += 1;
      await released;
    }
    // A request that the page has cancelled cannot continue.
    await route.continue().catch(() => {});
  });
  return {
    /** How many requests were held. */
    get held() {
      return held;
    },
    hold() {
      isHeld = true;
      released = new Promise<void>((resolve) => {
        release = resolve;
      });
    },
    release() {
      isHeld = false;
      release();
    },
    /** Lets all requests pass again, for the next journey on this page. */
    async end() {
      release();
      await page.unroute(path);
    },
  };
}
