import { readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';

/**
 * Our packages by folder, each with the packages that ARCHITECTURE.md lets it import. `core/staged-edits` is one
 * entry point of a package.
 */
export type ImportTable = Map<string, { allowed: Set<string>; typesOnly: Set<string> }>;

export function readImportTable(architecture: string): ImportTable {
  const table: ImportTable = new Map();
  const section = architecture.split('## Who imports whom')[1]?.split('\n## ')[0] ?? '';
  for (const line of section.split('\n')) {
    const cells = /^\| ([a-z-]+(?:\/[a-z-]+)?) \| ?(.*)\|$/.exec(line);
    if (!cells?.[1]) continue;
    const names = (cells[2] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    table.set(cells[1], {
      allowed: new Set(names.map((name) => name.replace(/ \(types\)$/, ''))),
      typesOnly: new Set(
        names.filter((name) => name.endsWith(' (types)')).map((name) => name.split(' ')[0] ?? ''),
      ),
    });
  }
  return table;
}

/** Every breach of the import rules in the packages below `root`, one sentence each. */
export function findBreaches(root: string, table: ImportTable): string[] {
  const groups = ['apps', 'packages', 'drivers', 'samples'];
  const folders = [
    'registry',
    ...groups.flatMap((group) => list(join(root, group)).map((name) => `${group}/${name}`)),
  ];
  const packages = folders.filter((folder) => list(join(root, folder)).includes('package.json'));
  return packages.flatMap((folder) => {
    const rights = table.get(folder);
    if (!rights) return [`${folder} is not in the table of ARCHITECTURE.md`];
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageJson;
    const declared = { ...manifest.dependencies, ...manifest.devDependencies };
    return [
      ...declaredBreaches(folder, declared, rights.allowed),
      ...sourceFiles(join(root, folder)).flatMap((file) =>
        importsOf(readFileSync(file, 'utf8')).flatMap((one) => {
          const breach = judge({ one, file, home: join(root, folder), rights, declared });
          return breach ? [`${relative(root, file)} ${breach}`] : [];
        }),
      ),
    ];
  });
}

interface PackageJson {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Import {
  from: string;
  typeOnly: boolean;
}

function declaredBreaches(folder: string, declared: Record<string, string>, allowed: Set<string>): string[] {
  return Object.keys(declared)
    .filter((name) => name.startsWith('@trestle/') && !hasPart(allowed, shortName(name)))
    .map((name) => `${folder}/package.json declares ${name}, which the table does not allow`);
}

function judge(input: {
  one: Import;
  file: string;
  home: string;
  rights: { allowed: Set<string>; typesOnly: Set<string> };
  declared: Record<string, string>;
}): string | null {
  const { one, file, home, rights, declared } = input;
  if (one.from.startsWith('.')) {
    const target = resolve(file, '..', one.from);
    // The registry may import the build scripts, which are beside it at the root.
    const isBuildScript = target.startsWith(resolve(home, '..', 'scripts') + sep);
    return target.startsWith(home + sep) || isBuildScript ? null : `reaches out of its package: ${one.from}`;
  }
  if (one.from.startsWith('node:')) return null;
  if (builtinModules.includes(one.from)) return `imports ${one.from} without the node: prefix`;
  const name = one.from
    .split('/')
    .slice(0, one.from.startsWith('@') ? 2 : 1)
    .join('/');
  if (name.startsWith('@trestle/')) {
    const short = shortName(name);
    if (!rights.allowed.has(short) && !rights.allowed.has(shortName(one.from)))
      return `imports ${one.from}, which the table does not allow`;
    if (rights.typesOnly.has(short) && !one.typeOnly) return `imports more than types from ${name}`;
  }
  if (name in declared || isTestCode(file)) return null;
  return `imports ${name}, which its package.json does not declare`;
}

/** Whether the package, or an entry point of it, is allowed. */
function hasPart(allowed: Set<string>, name: string): boolean {
  return [...allowed].some((one) => one === name || one.startsWith(`${name}/`));
}

/** Tests run from the root and use its development dependencies. */
export function isTestCode(file: string): boolean {
  return (
    /\.test\.tsx?$/.test(file) || file.includes(`${sep}testing${sep}`) || file.endsWith('vite.config.ts')
  );
}

function shortName(name: string): string {
  return name.replace('@trestle/', '');
}

export function importsOf(source: string): Import[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const pattern =
    /(?:^|[\s;])(import|export)\s+(type\s+)?(?:[^'"();]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
  return Array.from(code.matchAll(pattern), (match) => ({
    from: match[3] ?? match[4] ?? '',
    typeOnly: match[2] !== undefined,
  }));
}

export function sourceFiles(folder: string): string[] {
  return list(folder).flatMap((name) => {
    const path = join(folder, name);
    if (name === 'node_modules' || name === 'dist' || name.startsWith('.')) return [];
    if (statSync(path).isDirectory()) return sourceFiles(path);
    return /\.(ts|tsx|mts|js|mjs)$/.test(name) ? [path] : [];
  });
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
