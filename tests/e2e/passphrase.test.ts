import { expect } from 'vitest';
import { hasTerminal } from '../app/terminal.ts';
import { findings } from './axe.ts';
import { choose, press, tabTo } from './browser.ts';
import { journey, refusedRequest } from './journey.ts';
import { openPrintedLink, passphrase, setPassphrase } from './printed-link.ts';
import { openIntegrations } from './settings.ts';

journey(
  'a window from a printed link asks for the passphrase before the first Full Access token, not the second',
  async ({ page: own, app, skip }) => {
    if (!hasTerminal) skip('the passphrase is typed at a terminal, and there is none here');
    await setPassphrase(app);
    const page = await openPrintedLink(own, app);
    await openIntegrations(page, 'Authentication');

    const ask = async (name: string) => {
      await press(page.getByRole('button', { name: 'New token' }));
      const form = page.getByRole('dialog', { name: 'New token' });
      await tabTo(form.getByRole('textbox', { name: 'Name' }));
      await page.keyboard.type(name);
      await press(form.getByRole('combobox', { name: 'Permission' }));
      await choose(page.getByRole('option', { name: /^Full access/i }));
      await press(form.getByRole('button', { name: 'Create token' }));
    };
    const tokens = async () =>
      ((await app.json('tokens', 'list')) as { name: string }[]).map(({ name }) => name);
    const question = page.getByRole('dialog', { name: 'Administrator passphrase' });
    const field = question.getByLabel('Passphrase');

    await ask('Mine');
    await question.waitFor();
    expect(await findings(page)).toEqual([]);
    // The user cancels: no token exists, and the form is still open.
    await press(question.getByRole('button', { name: 'Cancel' }));
    await question.waitFor({ state: 'detached' });
    expect(await tokens()).toEqual([]);

    await press(
      page.getByRole('dialog', { name: 'New token' }).getByRole('button', { name: 'Create token' }),
    );
    await tabTo(field);
    await page.keyboard.type('a wrong guess');
    await page.keyboard.press('Enter');
    await question.getByText(/passphrase is not right/).waitFor();
    expect(await tokens()).toEqual([]);
    expect(await findings(page)).toEqual([]);
    await tabTo(field, { back: true });
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(passphrase);
    await page.keyboard.press('Enter');
    const shown = page.getByRole('dialog', { name: 'Token “Mine”' });
    await shown.getByText(/^trs_/).waitFor();
    expect(await page.content()).not.toContain(passphrase);
    await press(shown.getByRole('button', { name: 'Done' }));
    await shown.waitFor({ state: 'detached' });

    await ask('Another');
    await page.getByRole('dialog', { name: 'Token “Another”' }).waitFor();
    expect((await tokens()).sort()).toEqual(['Another', 'Mine']);
  },
  { allow: refusedRequest },
);
