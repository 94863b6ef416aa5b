/** Gives the width of one character (a code point) in pixels. */
export type CharacterWidth = (character: string) => number;

/** Cuts a text that is too wide, and adds an ellipsis. It cuts only between code points. */
export function truncate(text: string, width: number, widthOf: CharacterWidth): string {
  const ellipsis = widthOf('…');
  let used = 0;
  let fits = 0;
  for (let index = 0; index < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    used += widthOf(character);
    if (used > width) return `${text.slice(0, fits)}…`;
    index += character.length;
    if (used <= width - ellipsis) fits = index;
  }
  return text;
}

/** Whether the text runs from right to left. The end of the text, which `truncate` cuts, is then at the left. */
export function isRightToLeft(text: string): boolean {
  const strong = /[\p{L}\p{Nl}]/u.exec(text)?.[0];
  return strong !== undefined && rightToLeft.test(strong);
}

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

export function textWidth(text: string, widthOf: CharacterWidth): number {
  let used = 0;
  for (const character of text) used += widthOf(character);
  return used;
}

/** Widths in one font. Each different character is measured once. Kerning is left out: it rarely makes text wider. */
export function measuredWidths(measure: (text: string) => number): CharacterWidth {
  const ascii = new Float64Array(128).fill(-1);
  const others = new Map<string, number>();
  return (character) => {
    const code = character.charCodeAt(0);
    if (code < 128) {
      if (ascii[code] === -1) ascii[code] = measure(character);
      return ascii[code] as number;
    }
    let width = others.get(character);
    if (width === undefined) {
      width = measure(character);
      others.set(character, width);
    }
    return width;
  };
}
