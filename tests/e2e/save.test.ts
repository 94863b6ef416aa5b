import { expect } from 'vitest';
import { openPage, press } from './browser.ts';
import { journey, refusedRequest, sharedJourney } from './journey.ts';
import { holdInserts, openThings, startThings, titlesOf } from './save-journey.ts';

sharedJourney(
  'a save of 400 rows shows its progress, and counts a saved row before the save ends',
  async (at) => {
    const { page } = at;
    const things = await startThings();
    const inserts = holdInserts(things.proxy);
    const titles = titlesOf(400);
    await openThings(at, things, titles);
    await page.getByText('400 new').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saving 0 of 400').waitFor();
    await expect.poll(() => inserts.waiting).toBeGreaterThan(1);
    inserts.release(1);
    await page.getByText('Saving 1 of 400').waitFor();
    await page.getByText('399 new').waitFor();
    await expect.poll(() => inserts.waiting).toBeGreaterThan(1);
    inserts.open();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    await expect.poll(() => things.titles()).toEqual(titles);
    await page.getByText('of 400').waitFor();
  },
);

sharedJourney('an edit of a row that is being saved is kept', async (at) => {
  const { page } = at;
  const things = await startThings();
  const inserts = holdInserts(things.proxy);
  const { grid } = await openThings(at, things, ['One', 'Two']);
  await page.getByText('2 new').waitFor();
  await grid.focus();
  await page.keyboard.press('ControlOrMeta+s');
  await expect.poll(() => inserts.waiting).toBe(2);
  await page.getByText('Saving 0 of 2').waitFor();

  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => grid.active()).toBe('One');
  await page.keyboard.type('One again');
  await page.keyboard.press('Enter');
  // The editor of the second row is open when its insert is answered.
  await page.keyboard.press('F2');
  await page.keyboard.press('End');
  await page.keyboard.type(' and a half');
  await page.keyboard.press('Home');
  inserts.open();
  await page.getByRole('region', { name: 'Unsaved changes' }).getByText('1 edited').waitFor();
  await expect.poll(() => things.titles()).toEqual(['One', 'Two']);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Unsaved changes' }).getByText('2 edited').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  await expect.poll(() => things.titles()).toEqual(['One again', 'Two and a half']);
});

sharedJourney('a save that is cancelled and started again stores nothing twice', async (at) => {
  const { page } = at;
  const things = await startThings();
  const titles = titlesOf(400);
  await openThings(at, things, titles);
  await page.getByText('400 new').waitFor();
  for (let turn = 0; turn < 3; turn++) {
    const before = (await things.titles()).length;
    const inserts = holdInserts(things.proxy);
    await page.keyboard.press('ControlOrMeta+s');
    for (let passed = 0; passed < 40; passed += 4) {
      await expect.poll(() => inserts.waiting).toBeGreaterThanOrEqual(4);
      inserts.release(4);
    }
    await press(page.getByRole('button', { name: 'Cancel', exact: true }));
    // Rows that were already sent still get their answers and are counted.
    inserts.open();
    await page.getByRole('button', { name: /^Save \d+ rows/ }).waitFor();
    const stored = await things.titles();
    expect(stored.length).toBeGreaterThanOrEqual(before + 40);
    expect(new Set(stored).size).toBe(stored.length);
    await page.getByText(`${400 - stored.length} new`).waitFor();
  }
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  expect(await things.titles()).toEqual(titles);
});

sharedJourney(
  'a new row whose answer is lost stays staged; Save does not send the row again, but Send again does',
  async (at) => {
    const { page } = at;
    const things = await startThings();
    const { grid } = await openThings(at, things, ['One', 'Two', 'Three']);
    await page.getByText('3 new').waitFor();
    let inserts = 0;
    // The second row is stored, but neither the answer nor a read of the row comes through.
    things.proxy.decide = ({ method, path }) => {
      if (method === 'GET' && /^.v1.objects.[A-Z]/.test(path)) return 'reset';
      return method === 'POST' && path.startsWith('/v1/objects') && ++inserts === 2 ? 'resetAfter' : 'pass';
    };
    await page.keyboard.press('ControlOrMeta+s');
    const doubt = page.getByRole('region', { name: 'Rows that may have been stored' });
    await doubt.getByText('1 new row may have been stored').waitFor();
    await page.getByRole('region', { name: 'Unsaved changes' }).getByText('1 new', { exact: true }).waitFor();
    await expect.poll(() => things.titles()).toEqual(['One', 'Three', 'Two']);
    await expect
      .poll(async () => (await grid.rowHeaders())[0])
      .toMatch(/^New row, May have been stored\. Sent, but the answer never came/);

    // Save has nothing to send, neither before nor after a reload of the page.
    await page.keyboard.press('ControlOrMeta+s');
    await page.reload();
    await doubt.getByText('1 new row may have been stored').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    expect(await page.getByRole('button', { name: /^Save \d/ }).count()).toBe(0);
    expect((await things.titles()).length).toBe(3);

    // The row is sent under the same key. The server already has it, so it is stored once.
    await press(doubt.getByRole('button', { name: 'Send again' }));
    await page.getByRole('button', { name: /^Save \d/ }).waitFor({ state: 'detached' });
    await doubt.getByText('1 new row may have been stored').waitFor();
    expect(await things.titles()).toEqual(['One', 'Three', 'Two']);
    things.proxy.decide = () => 'pass';
    // The app may find the row by itself before the test presses the button, or while it does.
    await expect
      .poll(async () => {
        const again = doubt.getByRole('button', { name: 'Send again' });
        if ((await again.count()) > 0) await again.press('Enter', { timeout: 2000 }).catch(() => {});
        return page.getByRole('region', { name: 'Unsaved changes' }).count();
      })
      .toBe(0);
    expect(await things.titles()).toEqual(['One', 'Three', 'Two']);
  },
  { allow: refusedRequest },
);

sharedJourney(
  'if a row with an id may have been stored, it is found when the server answers again',
  async (at) => {
    const { page } = at;
    const things = await startThings();
    const uuid = '55555555-5555-4555-8555-000000000001';
    await openThings(at, things, [{ title: 'One', uuid }]);
    await page.getByText('1 new').waitFor();
    let isDown = false;
    things.proxy.decide = ({ method, path }) => {
      if (method === 'POST' && path.startsWith('/v1/objects') && !isDown) {
        isDown = true;
        return 'resetAfter';
      }
      return isDown ? 'reset' : 'pass';
    };
    await page.keyboard.press('ControlOrMeta+s');
    const doubt = page.getByRole('region', { name: 'Rows that may have been stored' });
    await doubt.getByText('1 new row may have been stored').waitFor();
    things.proxy.decide = () => 'pass';
    // The app may find the row by itself before the test presses the button.
    const button = doubt.getByRole('button', { name: 'Look for it' });
    await button.focus({ timeout: 2000 }).then(
      () => page.keyboard.press('Enter'),
      () => {},
    );
    await doubt.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    expect(await things.titles()).toEqual(['One']);
  },
  { allow: refusedRequest },
);

sharedJourney('after a reload during a save, only the rows that were not saved are still new', async (at) => {
  const { page } = at;
  const things = await startThings();
  const inserts = holdInserts(things.proxy);
  const titles = titlesOf(60);
  await openThings(at, things, titles);
  await page.getByText('60 new').waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await expect.poll(() => inserts.waiting).toBeGreaterThan(1);
  inserts.release(2);
  await page.getByText('58 new').waitFor();
  await expect.poll(() => inserts.waiting).toBeGreaterThan(1);
  await page.reload();
  inserts.open();
  await page.getByRole('button', { name: /^Save \d+ rows/ }).waitFor();
  const stored = (await things.titles()).length;
  expect(stored).toBeGreaterThan(1);
  await page.getByText(`${60 - stored} new`).waitFor();
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  expect(await things.titles()).toEqual(titles);
});

sharedJourney('a new row that never reached the server is stored once when it is sent again', async (at) => {
  const { page } = at;
  const things = await startThings();
  await openThings(at, things, ['One', 'Two']);
  await page.getByText('2 new').waitFor();
  let inserts = 0;
  things.proxy.decide = ({ method, path }) =>
    method === 'POST' && path.startsWith('/v1/objects') && ++inserts === 2 ? 'reset' : 'pass';
  await page.keyboard.press('ControlOrMeta+s');
  const doubt = page.getByRole('region', { name: 'Rows that may have been stored' });
  await doubt.waitFor();
  await press(doubt.getByRole('button', { name: 'Send again' }));
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  expect(await things.titles()).toEqual(['One', 'Two']);
});

journey(
  'after a kill during a save, the app knows which rows were saved and which may have been saved',
  async (at) => {
    const { page, app } = at;
    const things = await startThings();
    const inserts = holdInserts(things.proxy);
    await openThings(at, things, titlesOf(30));
    await page.getByText('30 new').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await expect.poll(() => inserts.waiting).toBe(8);
    inserts.release(3);
    await page.getByText('27 new').waitFor();
    await expect.poll(() => inserts.waiting).toBe(8);
    await app.kill();
    inserts.drop();
    await app.start();
    const { page: next } = await openPage(page.context().browser()!, app);
    const bar = next.getByRole('region', { name: 'Unsaved changes' });
    const doubt = next.getByRole('region', { name: 'Rows that may have been stored' });
    await doubt.getByText('8 new rows may have been stored').waitFor();
    await bar.getByText('27 new').waitFor();
    await next.keyboard.press('ControlOrMeta+s');
    await bar.getByText('8 new', { exact: true }).waitFor();
    await doubt.getByText('they keep their keys, and are not stored twice').waitFor();
    await press(doubt.getByRole('button', { name: 'Send again' }));
    await bar.waitFor({ state: 'detached' });
    expect(await things.titles()).toEqual(titlesOf(30));
    await next.context().close();
  },
  { allow: /Failed to (load resource|fetch)|ERR_/ },
);
