import { foldText, normalized } from './normalized.ts';

/** Whether the package of a driver contains this file or folder. The path is relative to the driver's folder. */
export function isPacked(path: string, entry: string): boolean {
  if (path === entry) return true;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return !leftOut.test(name) && !(name === path && leftOutAtTop.test(name));
}

/** Files that only the author needs: hidden files, npm's files, TypeScript sources and settings, earlier packages. */
const leftOut = /^\.|^node_modules$|^package-lock\.json$|^tsconfig\.json$|\.ts$|\.tgz$/;

/** Left out only next to the manifest. In a subfolder, these names can belong to code that the driver runs. */
const leftOutAtTop = /^contract\.js$|^package\.json$/;

/**
 * Checks the paths of one package, one after the other: relative, with slashes. Returns why a path is refused. Two
 * paths must not be one file on Windows or macOS: their disks ignore case and the Unicode form of a name. The package
 * would otherwise have other files there than on the machine of a reviewer.
 */
export function packagePathChecker(): (path: string) => string | undefined {
  const seen = new Map<string, string>();
  return (path) => {
    let place = '';
    for (const part of path.split('/')) {
      const problem = partProblem(part);
      if (problem !== undefined) return problem;
      place = place === '' ? part : `${place}/${part}`;
      const folded = foldPart(place);
      const other = seen.get(folded) ?? place;
      if (other !== place) return `differs from "${other}" only in letter case or in its Unicode form`;
      seen.set(folded, place);
    }
    return undefined;
  };
}

/** Makes names equal that a disk could take for one name. A capital ẞ becomes ß, and then SS. */
export function foldPart(name: string): string {
  return foldText(normalized(name.toLowerCase().toUpperCase(), 'NFKC').toUpperCase());
}

/** Why a disk of Windows or macOS could give the file another name. */
function partProblem(part: string): string | undefined {
  // On Windows a colon names a drive or an alternate stream, and a backslash separates folders. macOS ignores
  // characters that cannot be seen.
  if (/[\p{C}\p{Default_Ignorable_Code_Point}\\:<>"|?*]/u.test(part)) {
    return 'has a character that no file of a driver may have';
  }
  if (/^\s|[\s.]$/u.test(part)) return 'begins or ends with a blank, or ends with a dot';
  // Windows reads these names as devices, also with an ending.
  if (/^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)\s*(\.|$)/i.test(normalized(part, 'NFKC'))) {
    return 'is the name of a device on Windows';
  }
  // `MANIFE~1.JSO` is another name of manifest.json.
  if (/~\d/.test(part)) return 'looks like a short name of Windows (~ and a digit)';
  return undefined;
}
