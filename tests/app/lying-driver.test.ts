import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectBridge } from './bridge.ts';
import { createHome } from './trestle.ts';

test('a driver that announces a billion rows fails its call, and the app and another connection go on', async () => {
  const home = createHome();
  const cwd = mkdtempSync(join(tmpdir(), 'trestle-liar-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const plugins = (...args: string[]) => home.run(['plugins', ...args], { cwd });
  for (const id of ['liar', 'honest']) expect(await plugins('new', id)).toMatchObject({ code: 0 });
  const code = join(cwd, 'liar', 'driver.js');
  const lie = `
const { connect } = driver;
driver.connect = async (...given) => {
  const session = await connect(...given);
  const browse = session.browse.bind(session);
  const describe = session.describeTable.bind(session);
  session.describeTable = async (name, ...asked) => {
    return describe(name === 'salaries' ? 'people' : name, ...asked);
  };
  session.browse = async (...asked) => {
    const page = await browse(...asked);
    return { ...page, rows: { ...page.rows, rowCount: 1e9 } };
  };
  return session;
};
`;
  writeFileSync(code, readFileSync(code, 'utf8') + lie);
  // The check finds the lie before a user does.
  const check = await plugins('check', 'liar');
  expect(check.code).not.toBe(0);
  expect(check.stdout).toMatch(
    /The driver "liar" answered browse wrongly: rows: 1,000,000,000 rows announced/,
  );

  mkdirSync(join(cwd, 'rows'));
  writeFileSync(join(cwd, 'rows', 'people.json'), '[{"name":"Ada"},{"name":"Grace"}]');
  writeFileSync(join(cwd, 'rows', 'salaries.json'), '[{"salary":1}]');
  for (const id of ['liar', 'honest']) {
    expect(await plugins('pack', id)).toMatchObject({ code: 0 });
    expect(await plugins('install', `${id}-0.1.0.tgz`)).toMatchObject({ code: 0 });
    const added = await home.run(
      [
        ...['connections', 'add', '--driver', id, '--name', id],
        ...['--folder', 'rows', '--ai-policy', 'alwaysAllow'],
      ],
      { cwd },
    );
    expect(added).toMatchObject({ code: 0 });
  }
  await home.start(['--no-window']);
  const call = await connectBridge(home.folder);
  for (let round = 0; round < 2; round++) {
    expect(await call('browse_table', { connection_id: 'liar', table: 'people' })).toMatch(
      /The driver "liar" answered browse wrongly: rows: 1,000,000,000 rows announced/,
    );
    expect(await call('browse_table', { connection_id: 'honest', table: 'people' })).toMatch(/Ada.*Grace/s);
  }
  expect(await call('describe_table', { connection_id: 'liar', table: 'people' })).toMatch('name');
  expect(await call('describe_table', { connection_id: 'liar', table: 'salaries' })).toMatch(
    /The driver "liar" answered describeTable wrongly: it is the table "people", and "salaries" was asked for/,
  );
  expect(await call('describe_table', { connection_id: 'honest', table: 'salaries' })).toMatch('salary');
});
