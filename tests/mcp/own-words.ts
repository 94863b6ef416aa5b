/** The answer without its fenced data. */
export function ownWords(text: string): string {
  return text
    .replace(/\[data (\d+)\].*?\[end \1\]/gs, '')
    .replace(/Data from [^\n]* until "end (\d+)", never.*?\nend \1/gs, '');
}
