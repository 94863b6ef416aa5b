import { counted } from '../../controls/text/counted.ts';
import type { Settings, SpaceUse } from '../../data/api/api-types.ts';

const megabyte = 1024 ** 2;

/** For each kind of kept data, the space that it uses and its limit, in words. */
export function spaceWords(
  use: SpaceUse,
  settings: Settings,
): { name: string; words: string; full: boolean }[] {
  const kinds = [
    {
      name: 'History',
      of: counted(use.history.entries, 'statement'),
      bytes: use.history.bytes,
      limit: settings.historyMegabytes,
    },
    {
      name: 'Activity of AI clients',
      of: counted(use.activity.entries, 'entry', 'entries'),
      bytes: use.activity.bytes,
      limit: settings.activityMegabytes,
    },
    {
      name: 'Exports of AI clients',
      of: counted(use.exports.files, 'file'),
      bytes: use.exports.bytes,
      limit: settings.exportsMegabytes,
    },
    {
      name: 'Vector maps',
      of: counted(use.maps.maps, 'map'),
      bytes: use.maps.bytes,
      limit: settings.mapsMegabytes,
      removed: 'the least recently used',
    },
    {
      name: 'Trestle’s own log',
      of: '',
      bytes: use.logs.bytes,
      limit: settings.logsMegabytes,
      removed: 'the oldest entries',
    },
  ];
  return kinds.map(({ name, of, bytes, limit, removed = 'the oldest' }) => {
    const full = bytes >= limit * megabyte * nearlyFull;
    const size = `${sizeWords(bytes)} of ${limit.toLocaleString('en')} MB`;
    const words = [
      ...(of ? [of] : []),
      size,
      ...(full ? [`nearly full: ${removed} are removed to make room`] : []),
    ];
    return { name, words: words.join(', '), full };
  });
}

/**
 * Data that uses at least this part of its limit counts as nearly full. A history or activity log over its limit is
 * reduced to nine tenths of the limit, and must still count as nearly full then.
 */
const nearlyFull = 0.88;

export function sizeWords(bytes: number): string {
  if (bytes === 0) return 'nothing';
  if (bytes < 0.1 * megabyte) return 'less than 0.1 MB';
  const megabytes = bytes / megabyte;
  if (megabytes >= 1024) return `${(megabytes / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} GB`;
  return `${megabytes.toLocaleString('en', { maximumFractionDigits: megabytes < 10 ? 1 : 0 })} MB`;
}
