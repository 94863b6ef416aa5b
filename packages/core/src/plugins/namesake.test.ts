import { expect, test } from 'vitest';
import { newKey, publish, servedRegistry } from '../registry/testing/served-registry.ts';
import { fixtureManifest } from '../testing/fixture-driver.ts';
import { testCore } from '../testing/test-core.ts';
import { driverEntries, packageOf } from './testing/driver-package.ts';

const { signal } = new AbortController();
const bundled = fixtureManifest.name;

test.each([
  bundled,
  bundled.toUpperCase(),
  ` ${bundled}. `,
  bundled.replace('i', '\u0456'),
  bundled.replace('i', 'l'),
  bundled.replace('e', '\u0435'),
  bundled.replace('F', '\uff26'),
  `${bundled}®`,
])('a package file with the name %j, which reads like that of a bundled driver, is refused', async (name) => {
  const { core } = await testCore();
  const file = packageOf(driverEntries({ id: 'impostor', name }));
  await expect(core.drivers.installFromFile(file, { signal })).rejects.toThrow(
    `its name "${name}" reads like that of the installed driver fixture`,
  );
  expect(core.drivers.list().map(({ id }) => id)).toEqual(['fixture']);
});

test.each(['Plu\u200bgin', 'Plugin\u2060', 'Plu\u202eg', '\u00adPlugin'])(
  'a name with a character that cannot be seen is refused: %j',
  async (name) => {
    const { core } = await testCore();
    const file = packageOf(driverEntries({ id: 'impostor', name }));
    await expect(core.drivers.installFromFile(file, { signal })).rejects.toThrow(
      'the name of the driver impostor has characters that cannot be seen',
    );
  },
);

test('a package file must not have the name of a driver that the registry lists, nor an update that of another driver', async () => {
  const registry = await servedRegistry();
  const listed = publish({ id: 'shelf', name: 'Shelf' }, { key: registry.key });
  registry.serve([listed]);
  const { core } = await testCore({ registry: registry.pinned });
  await core.drivers.refresh({ signal });
  const install = (id: string, name: string, version = '1.0.0') =>
    core.drivers.installFromFile(packageOf(driverEntries({ id, name, version })), { signal });
  await expect(install('impostor', 'SheIf')).rejects.toThrow(
    'its name "SheIf" reads like that of the driver shelf of Example Publisher in the registry',
  );
  await install('mine', 'Mine');
  await expect(install('mine', 'Shelf', '1.1.0')).rejects.toThrow('of the driver shelf of Example Publisher');
  await install('mine', 'Mine', '1.1.0');
});

test('two drivers of a registry with one name are marked, and neither is installed', async () => {
  const registry = await servedRegistry();
  const shelf = publish({ id: 'shelf', name: 'Shelf' }, { key: registry.key });
  registry.serve([shelf]);
  const { core } = await testCore({ registry: registry.pinned });
  await core.drivers.refresh({ signal, force: true });
  const both = [shelf, publish({ id: 'impostor', name: 'SHE\u0399F' }, { key: newKey() })];
  registry.serve(both, { sequence: 2 });
  await core.drivers.refresh({ signal, force: true });
  const problem =
    'its name "Shelf" reads like that of the driver impostor of Example Publisher in the registry';
  expect(core.drivers.listed().map(({ unavailable }) => unavailable)).toEqual([
    problem,
    'its name "SHE\u0399F" reads like that of the driver shelf of Example Publisher in the registry',
  ]);
  for (const id of ['shelf', 'impostor'])
    await expect(core.drivers.install(id, { signal })).rejects.toThrow('in the registry');
});

test('a driver that is installed is updated, although the registry lists another one with its name', async () => {
  const registry = await servedRegistry();
  const shelf = (version: string) => publish({ id: 'shelf', name: 'Shelf', version }, { key: registry.key });
  registry.serve([shelf('1.0.0')]);
  const { core } = await testCore({ registry: registry.pinned });
  await core.drivers.refresh({ signal, force: true });
  await core.drivers.install('shelf', { signal });
  const impostor = publish({ id: 'impostor', name: 'SheIf' }, { key: newKey() });
  registry.serve([impostor, shelf('1.0.0'), shelf('1.1.0')], { sequence: 2 });
  await core.drivers.refresh({ signal, force: true });
  await core.drivers.install('shelf', { signal });
  expect(core.drivers.list().find(({ id }) => id === 'shelf')?.version).toBe('1.1.0');
  await expect(core.drivers.install('impostor', { signal })).rejects.toThrow('installed driver shelf');
});

test('a driver of the registry with the name of an installed driver is listed with the reason, and not installed', async () => {
  const registry = await servedRegistry();
  registry.serve([publish({ id: 'impostor', name: 'F\u0456xture' }, { key: newKey() })]);
  const { core } = await testCore({ registry: registry.pinned });
  await core.drivers.refresh({ signal });
  const problem = 'its name "F\u0456xture" reads like that of the installed driver fixture';
  expect(core.drivers.listed()).toMatchObject([{ manifest: { id: 'impostor' }, unavailable: problem }]);
  await expect(core.drivers.install('impostor', { signal })).rejects.toThrow(problem);
});
