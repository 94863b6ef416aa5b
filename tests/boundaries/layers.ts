import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { importsOf, isTestCode, sourceFiles } from './import-table.ts';

/** The layers of a folder from the top down. Each line of the list in ARCHITECTURE.md is one layer. */
export function readLayers(root: string, folder: string): string[][] {
  const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const section = architecture.split(`## Layers of ${folder}\n`)[1]?.split('\n## ')[0] ?? '';
  return Array.from(section.matchAll(/^- (.+)$/gm), ([, line]) => line!.split(', '));
}

/** One import between two files of a folder that are in different parts. A part has `depth` names of a path. */
export interface PartImport {
  file: string;
  from: string;
  to: string;
}

export function partImports(folder: string, depth: number): PartImport[] {
  // A file in the folder itself is a part of its own.
  const partOf = (file: string) => {
    const names = relative(folder, file).split(sep);
    return names.slice(0, Math.max(1, Math.min(depth, names.length - 1))).join('/');
  };
  return sourceFiles(folder)
    .filter((file) => !isTestCode(file))
    .flatMap((file) =>
      importsOf(readFileSync(file, 'utf8'))
        .filter(({ from }) => from.startsWith('.') && !from.endsWith('.css'))
        .map(({ from }) => ({
          file: relative(folder, file),
          from: partOf(file),
          to: partOf(join(dirname(file), from)),
        })),
    )
    .filter(({ from, to }) => from !== to);
}

/** The imports of a part of a layer that the layers do not allow, and the parts that are in no layer. */
export function layerBreaches(
  imports: PartImport[],
  layers: string[][],
  mayImport: (from: number, to: number) => boolean,
): string[] {
  const depthOf = (part: string) => layers.findIndex((layer) => layer.includes(part));
  const parts = [...new Set(imports.flatMap(({ from, to }) => [from, to]))];
  return [
    ...parts
      .filter((part) => depthOf(part) === -1)
      .map((part) => `${part} is not in the list of ARCHITECTURE.md`),
    ...imports
      .filter(({ from, to }) => !mayImport(depthOf(from), depthOf(to)))
      .map(({ file, to }) => `${file} imports ${to}, which is not below it`),
  ];
}
