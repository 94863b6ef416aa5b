/** One request of the text in the editor: an operation with its fragments, or a REST line with its body. */
export interface RequestBlock {
  from: number;
  to: number;
  kind: 'graphql' | 'rest';
}

const restLine = /^\s*(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)[ \t]+\S/i;
const operation = /^\s*(\{|query\b|mutation\b|subscription\b)/;
const ignored = /^\s*(#.*)?$/;
/** The start of a JSON object, also of one that the user has only begun. GraphQL has a name after the bracket. */
const jsonObject = /\s*\{\s*(["}]|$)/y;

/**
 * The requests in a text, in order. A REST line starts a request wherever all brackets are closed. An operation starts
 * a request at the beginning of the text and after an empty line or a comment. Any other line belongs to the request
 * above it. So does a JSON object below a REST line that may have a body, although it starts like an operation.
 */
export function requestBlocks(text: string): RequestBlock[] {
  const blocks: RequestBlock[] = [];
  let depth = 0;
  let afterGap = true;
  let awaitsBody = false;
  let offset = 0;
  for (const line of text.split('\n')) {
    const to = offset + line.length;
    if (ignored.test(line)) afterGap ||= depth === 0;
    else {
      const isRest = depth === 0 && restLine.test(line);
      const isOperation =
        depth === 0 && afterGap && operation.test(line) && !(awaitsBody && isJsonAt(text, offset));
      const current = blocks.at(-1);
      if (isRest || isOperation || !current) {
        const from = offset + (line.length - line.trimStart().length);
        blocks.push({ from, to, kind: isRest ? 'rest' : 'graphql' });
        // A body may follow below, if the method takes one and this line does not contain it.
        awaitsBody = isRest && !/^\s*(GET|HEAD)\b/i.test(line) && !/[{[]/.test(line);
      } else {
        current.to = to;
        awaitsBody = false;
      }
      depth = Math.max(0, depth + balance(line));
      afterGap = false;
    }
    offset = to + 1;
  }
  return blocks;
}

/** The block that contains a position, or else the last block before it, or else the first. */
export function blockAt(blocks: RequestBlock[], position: number): RequestBlock | undefined {
  return blocks.findLast(({ from }) => from <= position) ?? blocks[0];
}

function isJsonAt(text: string, offset: number): boolean {
  jsonObject.lastIndex = offset;
  return jsonObject.test(text);
}

/**
 * Opened brackets minus closed ones. Brackets after # or in quotes on this line do not count. A string ends with its
 * line: if the closing quote were required, a long line of `\"` without one would take quadratic time.
 */
function balance(line: string): number {
  const bare = line.replace(/"(?:[^"\\]|\\.)*"?/g, '').replace(/#.*$/, '');
  return (bare.match(/[{[(]/g)?.length ?? 0) - (bare.match(/[}\])]/g)?.length ?? 0);
}
