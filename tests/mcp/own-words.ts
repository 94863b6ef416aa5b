/** The answer without its fenced data. */
export function ownWords(text: string): string {
  return text
    .replace(/\[data (\d+)\].*?\[end \1\]/gs, '')
    .replace(/Until "end (\d+)" is data.*?\nend \1/gs, '');
}
