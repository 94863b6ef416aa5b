import type { ElementHandle, Locator, Page } from 'playwright-core';

/**
 * Presses Tab (or Shift+Tab with `back`) until the target has the focus. Fails if the keyboard does not reach
 * it.
 */
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

/** A handle saves later lookups: each lookup by role and name costs the page as much as a key press. */
async function handleOf(target: Locator): Promise<ElementHandle<Element>> {
  const element = (await target.elementHandle()) as ElementHandle<Element>;
  if (!(await element.isVisible())) {
    await target.waitFor();
    return handleOf(target);
  }
  await until(target, 'the focus is in its dialog', () => element.evaluate(hasFocusInDialog));
  return element;
}

/**
 * Presses Tab like a key that is held down. Drawing the page after each press would take most of a journey's time.
 */
async function pressTab(page: Page, times: number, back: boolean): Promise<void> {
  const key = back ? 'Shift+Tab' : 'Tab';
  // Firefox gets one key after the other.
  if (times === 1 || page.context().browser()?.browserType().name() !== 'chromium') {
    for (let presses = 0; presses < times; presses++) await page.keyboard.press(key);
    return;
  }
  if (back) await page.keyboard.down('Shift');
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press('Tab')));
  if (back) await page.keyboard.up('Shift');
}

/** A dialog takes the focus a moment after it appears. A user would not press Tab before that moment. */
function hasFocusInDialog(target: Element): boolean {
  const dialog = target.closest('[role=dialog], [role=alertdialog]');
  return !dialog || !target.isConnected || dialog.contains(document.activeElement);
}

/**
 * `active` is the start of the HTML of the element with the focus, or null if that element is the target. `ahead` is
 * how many times to press Tab before the next look. Buttons, links and tabs are passed together. Any other control may
 * move the focus, so the next look comes as soon as Tab reaches it. Once the target has the focus, the remaining presses
 * have no effect.
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

/** A menu that was just used has returned the focus, but still handles keys until it is gone. */
function isClosing(trigger: Element): boolean {
  const opensMenu = trigger.getAttribute('aria-haspopup') === 'menu';
  return opensMenu && document.querySelector('[role=menu]') !== null;
}

/** Polls until the condition holds: a page may draw the effect of a key much later. */
export async function until(
  target: Locator,
  state: string,
  isSo: () => Promise<boolean>,
  patienceMs = 30_000,
): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await isSo()); await target.page().waitForTimeout(20)) {
    if (Date.now() > end) throw new Error(`${target}: waited in vain until ${state}`);
  }
}

/** Goes down an open menu or list to an entry and chooses it. */
export async function choose(entry: Locator): Promise<void> {
  await entry.waitFor();
  await until(entry, 'its list takes keys', () => entry.evaluate(takesKeys));
  for (let presses = 0; presses < 40; presses++) {
    const before = await entry.evaluate(highlighted);
    if (before === 'entry') return entry.page().keyboard.press('Enter');
    await entry.page().keyboard.press('ArrowDown');
    // A second press before the first has an effect could pass the entry.
    await until(entry, 'the highlight moves', async () => (await entry.evaluate(highlighted)) !== before);
  }
  throw new Error(`The arrow keys do not reach ${entry}`);
}

/** A menu appears before it has the focus. A combobox leaves the focus in its input. */
function takesKeys(entry: Element): boolean {
  const { activeElement } = document;
  const list = entry.closest('[role=menu], [role=listbox]');
  return activeElement?.tagName === 'INPUT' || list?.contains(activeElement) === true;
}

/** `entry` if this entry is active. Otherwise the index of the active entry, or -1. */
function highlighted(entry: Element): number | 'entry' {
  if (entry.hasAttribute('data-highlighted')) return 'entry';
  const list = entry.closest('[role=menu], [role=listbox]');
  const entries = [...(list?.querySelectorAll('[role^=menuitem], [role=option]') ?? [])];
  return entries.findIndex((one) => one.hasAttribute('data-highlighted'));
}
