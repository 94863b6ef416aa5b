import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { initialize, installBridge } from './bridge-fixtures.ts';
import { spawnBridge } from './bridge-process.ts';
import { runServer } from './running-server.ts';

test('after the user quits the app, the bridge does not start the app until a client calls', async () => {
  const running = await runServer();
  onTestFinished(() => running.close());
  const launched = join(running.home, 'launched');
  const bridge = spawnBridge(running.home, installBridge(running.home, `touch ${launched}; exit 1`));
  // In the first round the app stops before the bridge has subscribed to changes, in the second round after that.
  for (const ms of [0, 300]) {
    await bridge.ask('initialize', initialize());
    await delay(ms);
    await running.server.close();
    await delay(500);
    expect(existsSync(launched)).toBe(false);
    await running.restart();
  }
  await running.server.close();
  expect((await bridge.ask('tools/list')).error?.message).toMatch(/^Trestle is not running/);
  expect(existsSync(launched)).toBe(true);
});
