import type { PackageKind } from '../edition.ts';

/** The name of the release file that replaces this copy of Trestle. npm finds its package by itself. */
export function packageFile(
  kind: Exclude<PackageKind, 'npm'>,
  version: string,
  { platform, arch }: { platform: string; arch: string } = process,
): string {
  const names = {
    deb: `trestle_${version.replace('-', '~')}_${arch === 'x64' ? 'amd64' : arch}.deb`,
    tarball: `trestle-${version}-linux-${arch}.tar.gz`,
    macos: `Trestle-${version}-macos-${arch}.zip`,
    windows: `Trestle-${version}-windows-${arch}.zip`,
    mcpb: `trestle-${version}-${platform}-${arch}.mcpb`,
  };
  return names[kind];
}

/** Tells the user how to install the downloaded file. */
export function nextStep(kind: Exclude<PackageKind, 'npm'>, file: string): string {
  const steps = {
    deb: `Install it: sudo apt install "${file}"`,
    tarball: `Unpack ${file} and replace the folder of this copy with the unpacked folder.`,
    macos: `Unpack it and move Trestle.app to Applications: ${file}`,
    windows: `Stop Trestle and the AI clients that use it. Then unpack ${file} and replace the folder of this copy with the unpacked folder.`,
    mcpb: `Open it with your AI client: ${file}`,
  };
  return `${steps[kind]}\nA Trestle that runs keeps its version until you start Trestle again. Connections and settings stay.`;
}
