import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** While a combobox shows its list the rest is hidden from screen readers, and Tab closes the list before it leaves. */
const notAsked = {
  nothing: [],
  combobox: ['aria-hidden-focus', 'page-has-heading-one'],
};

/** The rules that look at colours: all that a theme changes. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds, one line an element. */
export function findings(page: Page, over: keyof typeof notAsked = 'nothing'): Promise<string[]> {
  return analyze(page, (axe) => axe.disableRules(notAsked[over]));
}

/** The same, and then in the dark; leaves the page in the light, where it was. */
export async function findingsInBothThemes(page: Page, over?: keyof typeof notAsked): Promise<string[]> {
  const light = await findings(page, over);
  await showTheme(page, 'dark');
  const dark = await analyze(page, (axe) => axe.withRules(colourRules));
  await showTheme(page, 'light');
  return [...light, ...dark.map((line) => `in the dark, ${line}`)];
}

async function analyze(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  await settle(page);
  // The pages have no frames, and nobody reads what passes: neither has to go to and fro, which takes far longer.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await choose(axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1] ?? ''}`),
  );
}

async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
}

/** Colours half way through a fade are nobody's choice. */
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
