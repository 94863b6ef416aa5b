import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Rules that axe skips. While a combobox shows its list, everything else is hidden from screen readers. That is
 * correct, since Tab closes the list before the focus moves.
 */
const notAsked = {
  nothing: [],
  combobox: ['aria-hidden-focus', 'page-has-heading-one'],
};

/** The rules about colours. A theme changes nothing else. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The findings of axe, one line per rule and element. */
export function findings(page: Page, over: keyof typeof notAsked = 'nothing'): Promise<string[]> {
  return analyze(page, (axe) => axe.disableRules(notAsked[over]));
}

/** The findings in the light theme, and those about colours in the dark theme. Leaves the page in the light theme. */
export async function findingsInBothThemes(page: Page, over?: keyof typeof notAsked): Promise<string[]> {
  const light = await findings(page, over);
  await showTheme(page, 'dark');
  const dark = await analyze(page, (axe) => axe.withRules(colourRules));
  await showTheme(page, 'light');
  return [...light, ...dark.map((line) => `in the dark, ${line}`)];
}

async function analyze(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  await settle(page);
  // A page keeps axe until the next load. Injecting axe again takes as long as a run.
  const isThere = await page.evaluate(() => 'axe' in window);
  // The pages have no frames, so legacy mode is enough. Only violations are read below. Without these two options,
  // axe transfers more data and takes far longer.
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'void 0' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  const { violations } = await choose(axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1] ?? ''}`),
  );
}

async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
}

/** Waits for the end of finite animations: colours in the middle of a fade are not part of the design. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => {})),
    ),
  );
}
