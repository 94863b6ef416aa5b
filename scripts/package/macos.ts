import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../stale.mjs';
import { writeZip } from './archives.ts';
import type { Release } from './release.ts';
import { emptyStage, stageApp, stageRuntime, write } from './stage.ts';
import { stageThirdParty } from './third-party.ts';

/**
 * `Trestle.app`. Its window belongs to a browser, so the bundle is an agent without a Dock icon. An invisible helper
 * bundle inside it owns the URL scheme. For a `trestle:` URL, macOS starts the helper, and the helper starts the app
 * without a window. So no code needs to receive the Apple event with the URL.
 */
export async function packMacos(release: Release, architecture: 'x64' | 'arm64'): Promise<string[]> {
  const stage = emptyStage(`macos-${architecture}`);
  const app = join(stage, 'Trestle.app');
  const contents = join(app, 'Contents');
  stageApp(join(contents, 'Resources'), release, 'macos');
  stageThirdParty(join(contents, 'Resources'));
  await stageRuntime(
    { node: join(contents, 'Helpers', 'node'), modules: join(contents, 'Resources', 'node_modules') },
    `darwin-${architecture}`,
  );
  const script = (name: string) => readFileSync(join(root, 'scripts', 'package', 'macos', name));
  for (const name of ['trestle', 'trestle-mcp']) write(join(contents, 'MacOS', name), script(name), 0o755);
  write(join(contents, 'Resources', 'trestle.icns'), icns(script('icon.png')));
  write(join(contents, 'PkgInfo'), 'APPL????');
  write(
    join(contents, 'Info.plist'),
    plist({
      CFBundleName: 'Trestle',
      CFBundleDisplayName: 'Trestle',
      CFBundleIdentifier: 'app.trestle.Trestle',
      CFBundleExecutable: 'trestle',
      CFBundleIconFile: 'trestle.icns',
      LSUIElement: true,
      NSHighResolutionCapable: true,
      ...common(release),
    }),
  );
  const helper = join(contents, 'Library', 'LoginItems', 'Trestle Link.app', 'Contents');
  write(join(helper, 'MacOS', 'trestle-link'), script('trestle-link'), 0o755);
  write(
    join(helper, 'Info.plist'),
    plist({
      CFBundleName: 'Trestle Link',
      CFBundleIdentifier: 'app.trestle.Trestle.Link',
      CFBundleExecutable: 'trestle-link',
      LSBackgroundOnly: true,
      CFBundleURLTypes: [{ CFBundleURLName: 'app.trestle.start', CFBundleURLSchemes: ['trestle'] }],
      ...common(release),
    }),
  );
  sign(app);
  const name = macosZip(release, architecture);
  await writeZip(join(release.out, name), stage, { time: release.time });
  return [name];
}

/**
 * Takes a zip that was signed and notarized on a Mac, instead of making one. The checksums and the channel file must name
 * the bytes that users download.
 */
export function takeMacos(
  release: Pick<Release, 'version' | 'out'>,
  architecture: 'x64' | 'arm64',
  folder: string,
): string[] {
  const name = macosZip(release, architecture);
  copyFileSync(join(folder, name), join(release.out, name));
  return [name];
}

function macosZip({ version }: Pick<Release, 'version'>, architecture: 'x64' | 'arm64'): string {
  return `Trestle-${version}-macos-${architecture}.zip`;
}

function common({ version, commit }: Release): Record<string, string> {
  return {
    CFBundlePackageType: 'APPL',
    CFBundleShortVersionString: version,
    CFBundleVersion: commit.slice(0, 12),
    CFBundleInfoDictionaryVersion: '6.0',
    LSMinimumSystemVersion: '13.5',
  };
}

/**
 * Signs with the identity in TRESTLE_CODESIGN_IDENTITY, which works only on a Mac. Without this variable, the bundle
 * stays unsigned. docs/release.md has the steps for signing.
 */
function sign(app: string): void {
  const identity = process.env.TRESTLE_CODESIGN_IDENTITY;
  if (!identity) return;
  if (process.platform !== 'darwin')
    throw new Error('codesign runs only on macOS: unset TRESTLE_CODESIGN_IDENTITY.');
  const entitlements = join(root, 'scripts', 'package', 'macos', 'entitlements.plist');
  const codesign = ['--force', '--options', 'runtime', '--timestamp', '--sign', identity];
  const node = join(app, 'Contents', 'Helpers', 'node');
  execFileSync('codesign', [...codesign, '--entitlements', entitlements, node], { stdio: 'inherit' });
  execFileSync('codesign', [...codesign, '--deep', app], { stdio: 'inherit' });
}

/** An icon file of one picture, 512 × 512 pixels. */
function icns(png: Buffer): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const header = Buffer.alloc(8, name);
    header.writeUInt32BE(content.length + 8, 4);
    return Buffer.concat([header, content]);
  };
  return chunk('icns', chunk('ic09', png));
}

type PlistValue = string | boolean | PlistValue[] | { [key: string]: PlistValue };

function plist(value: Record<string, PlistValue>): string {
  const head =
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n';
  return `${head}<plist version="1.0">${element(value)}</plist>\n`;
}

function element(value: PlistValue): string {
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  if (typeof value === 'string') return `<string>${escaped(value)}</string>`;
  if (Array.isArray(value)) return `<array>${value.map(element).join('')}</array>`;
  const members = Object.entries(value).map(([key, one]) => `<key>${escaped(key)}</key>${element(one)}`);
  return `<dict>${members.join('')}</dict>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
