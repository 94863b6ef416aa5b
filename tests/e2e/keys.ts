import type { ElementHandle, Locator, Page } from 'playwright-core';

/** Tab, as often as it takes; Shift+Tab with `back`. Fails where the keyboard does not reach. */
export async function tabTo(target: Locator, options: { back?: boolean } = {}): Promise<void> {
  await goTo(target, options.back === true);
}

/** Goes to a control by Tab and presses it. */
export async function press(target: Locator, options: { back?: boolean; key?: string } = {}): Promise<void> {
  const element = await goTo(target, options.back === true);
  await until(target, 'its menu has closed', async () => !(await element.evaluate(isClosing)));
  await target.page().keyboard.press(options.key ?? 'Enter');
}

async function goTo(target: Locator, back: boolean): Promise<ElementHandle<Element>> {
  let element = await handleOf(target);
  const passed = new Set<string>();
  for (let presses = 0; presses < 90; ) {
    const { active, isGone, ahead } = await element.evaluate(lookAhead, back);
    if (active === null) return element;
    passed.add(active);
    if (isGone) element = await handleOf(target);
    else {
      await pressTab(target.page(), ahead, back);
      presses += ahead;
    }
  }
  throw new Error(`Tab does not reach ${target}; it passed ${[...passed].join('\n')}`);
}

/** Found once: to look for an element by its role and name costs the page as much as a press. */
async function handleOf(target: Locator): Promise<ElementHandle<Element>> {
  const element = (await target.elementHandle()) as ElementHandle<Element>;
  if (!(await element.isVisible())) {
    await target.waitFor();
    return handleOf(target);
  }
  await until(target, 'the focus is in its dialog', () => element.evaluate(hasFocusInDialog));
  return element;
}

/** At once, as by a key that is held down: each press by itself would be drawn, which takes the most of a journey. */
async function pressTab(page: Page, times: number, back: boolean): Promise<void> {
  const key = back ? 'Shift+Tab' : 'Tab';
  // Firefox is asked for one key after the other.
  if (times === 1 || page.context().browser()?.browserType().name() !== 'chromium') {
    for (let presses = 0; presses < times; presses++) await page.keyboard.press(key);
    return;
  }
  if (back) await page.keyboard.down('Shift');
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press('Tab')));
  if (back) await page.keyboard.up('Shift');
}

/** A dialog takes the focus a moment after it shows; nobody tabs before that. */
function hasFocusInDialog(target: Element): boolean {
  const dialog = target.closest('[role=dialog], [role=alertdialog]');
  return !dialog || !target.isConnected || dialog.contains(document.activeElement);
}

/**
 * The element that has the focus, or null for the target itself; and how many presses go over plain controls alone.
 * Others may move the focus themselves, so they are passed one by one. No press leaves the target again.
 */
function lookAhead(
  target: Element,
  back: boolean,
): { active: string | null; isGone: boolean; ahead: number } {
  const page = window as Window & { tabTarget?: Element | null };
  if (page.tabTarget === undefined) {
    const stay = (event: KeyboardEvent) => {
      if (event.key !== 'Tab' || !page.tabTarget || page.tabTarget !== document.activeElement) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', stay, true);
  }
  const { activeElement } = document;
  page.tabTarget = target === activeElement ? null : target;
  if (target === activeElement) return { active: null, isGone: false, ahead: 0 };
  const stops = [
    ...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]'),
  ].filter(
    (one) =>
      one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true }),
  );
  const [from, to] = [stops.indexOf(activeElement as HTMLElement), stops.indexOf(target as HTMLElement)];
  const between = back ? stops.slice(to + 1, from).reverse() : stops.slice(from + 1, to);
  const plain = between.findIndex((one) => !one.matches('button:not([role=radio]), a[href], [role=tab]'));
  const isAhead = from >= 0 && to >= 0 && (back ? to < from : from < to);
  return {
    active: activeElement?.outerHTML.slice(0, 80) ?? '',
    isGone: !target.isConnected,
    ahead: isAhead ? Math.max(1, plain < 0 ? between.length + 1 : plain) : 1,
  };
}

/** A menu that was just used has given the focus back, and still takes a press for its own until it is gone. */
function isClosing(trigger: Element): boolean {
  const opensMenu = trigger.getAttribute('aria-haspopup') === 'menu';
  return opensMenu && document.querySelector('[role=menu]') !== null;
}

/** Looks until it is so: a page may draw what a key did long after the key. */
export async function until(
  target: Locator,
  state: string,
  isSo: () => Promise<boolean>,
  patienceMs = 30_000,
): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await isSo()); await target.page().waitForTimeout(20)) {
    if (Date.now() > end) throw new Error(`${target}: not yet that ${state}`);
  }
}

/** Goes down an open menu or list to an entry and takes it. */
export async function choose(entry: Locator): Promise<void> {
  await entry.waitFor();
  await until(entry, 'its list takes keys', () => entry.evaluate(takesKeys));
  for (let presses = 0; presses < 40; presses++) {
    const before = await entry.evaluate(highlighted);
    if (before === 'entry') return entry.page().keyboard.press('Enter');
    await entry.page().keyboard.press('ArrowDown');
    // A second press before the first one shows would go past the entry.
    await until(entry, 'an arrow key moves', async () => (await entry.evaluate(highlighted)) !== before);
  }
  throw new Error(`The arrow keys do not reach ${entry}`);
}

/** A menu shows before it has the focus; a combobox leaves the focus in its input. */
function takesKeys(entry: Element): boolean {
  const { activeElement } = document;
  const list = entry.closest('[role=menu], [role=listbox]');
  return activeElement?.tagName === 'INPUT' || list?.contains(activeElement) === true;
}

/** The place of the entry that the keys are on; -1 for none. */
function highlighted(entry: Element): number | 'entry' {
  if (entry.hasAttribute('data-highlighted')) return 'entry';
  const list = entry.closest('[role=menu], [role=listbox]');
  const entries = [...(list?.querySelectorAll('[role^=menuitem], [role=option]') ?? [])];
  return entries.findIndex((one) => one.hasAttribute('data-highlighted'));
}
