import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** While a combobox shows its list the rest is hidden from screen readers, and Tab closes the list before it leaves. */
const notAsked = {
  nothing: [],
  combobox: ['aria-hidden-focus', 'page-has-heading-one'],
};

/** What axe finds, one line an element. */
export async function findings(page: Page, over: keyof typeof notAsked = 'nothing'): Promise<string[]> {
  await settle(page);
  const axe = new AxeBuilder({ page }).disableRules(notAsked[over]);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1] ?? ''}`),
  );
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
