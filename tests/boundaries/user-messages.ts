import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { sourceFiles } from './import-table.ts';

/** One message in the code. A part that changes from case to case is `…`. */
export interface UserMessage {
  text: string;
  file: string;
}

/**
 * The product's messages to the user. A message is a text given to an error class, or to a function that makes an error
 * from the text (such as `invalid(message)`). `describedText` and `refusalTexts` find more messages. The code is
 * parsed, so nobody has to maintain a list of messages.
 */
export function findMessages(root: string): UserMessage[] {
  return productFolders.flatMap((folder) => {
    const files = sourceFiles(join(root, folder)).filter((file) => !/\.test\.tsx?$|\/testing\//.test(file));
    const parsed = files.map((file) => ({
      file: relative(root, file),
      program: parse(readFileSync(file, 'utf8'), file),
    }));
    const makers = Map.groupBy(
      [...ownMakers, ...parsed.flatMap(({ program }) => makersIn(program))],
      ([name]) => name,
    );
    return parsed.flatMap(({ file, program }) =>
      textsIn(program, makers)
        .filter((text) => /[A-Za-z]{2}/.test(text))
        .map((text) => ({ text, file })),
    );
  });
}

const productFolders = [
  'apps/bridge',
  'apps/desktop',
  'apps/ui',
  'drivers/sqlite',
  'drivers/weaviate',
  'packages/core',
  'packages/driver-host',
  'packages/driver-kit',
  'packages/handshake',
  'packages/mcp-server',
];

/**
 * Error classes and the place of their text: a member of the first argument, or the index of an argument.
 */
const errorClasses: Record<string, number | 'message'> = {
  AppError: 'message',
  DriverError: 'message',
  BridgeFailure: 2,
  CsvError: 1,
  ProtocolError: 1,
  UsageError: 0,
  Error: 0,
  RangeError: 0,
  SyntaxError: 0,
};

/** Our own function that ends a command with a sentence on the terminal, and the place of the sentence. */
const ownMakers: [string, number][] = [['fail', 0]];

type Makers = Map<string, [string, number][]>;

interface Node {
  type: string;
  [member: string]: unknown;
}

function parse(source: string, file: string): Node {
  return parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as Node;
}

/** Functions that make an error from one of their parameters: name and the parameter's place. */
function makersIn(program: Node): [string, number][] {
  const found: [string, number][] = [];
  visit(program, (node) => {
    const named = functionOf(node);
    if (!named) return;
    visit(named.body, (inner) => {
      const text = errorText(inner) ?? describedText(inner);
      if (!text) return;
      const used = new Set<string>();
      visit(text, (one) => {
        if (one.type === 'Identifier') used.add(String(one.name));
      });
      const place = named.parameters.findIndex((name) => used.has(name) && textParameters.test(name));
      if (place >= 0) found.push([named.name, place]);
    });
  });
  return found;
}

/** The names of parameters that take a message. Error functions also have parameters for names and counts. */
const textParameters = /^(message|reason|detail|problem|refusal|words|text|sentence|what|why|doing)$/;

function functionOf(node: Node): { name: string; parameters: string[]; body: Node } | null {
  const { id, init } = node as { id?: Node; init?: Node };
  const made =
    node.type === 'FunctionDeclaration' ? node : init?.type === 'ArrowFunctionExpression' ? init : null;
  if (!made || id?.type !== 'Identifier') return null;
  const parameters = (made.params as Node[]).map((one) => String((one.left as Node)?.name ?? one.name));
  return { name: String(id.name), parameters, body: made.body as Node };
}

function textsIn(program: Node, makers: Makers): string[] {
  const constants = constantsIn(program);
  const texts: string[] = [];
  visit(program, (node) => {
    const found = errorText(node) ?? describedText(node);
    for (const text of [...(found ? [found] : []), ...argumentsOf(node, makers), ...refusalTexts(node)])
      texts.push(...wordings(text, constants));
  });
  return texts;
}

/** The expression with the text of the error, if the node creates an error. */
function errorText(node: Node): Node | null {
  if (node.type !== 'NewExpression') return null;
  const place = errorClasses[String((node.callee as Node).name)];
  if (place === undefined) return null;
  const args = node.arguments as Node[];
  if (place !== 'message') return args[place] ?? null;
  return args[0]?.type === 'ObjectExpression' ? memberOf(args[0], 'message') : null;
}

/**
 * The arguments that become a message. If functions of two files have the same name, the places of both functions are
 * used.
 */
function argumentsOf(node: Node, makers: Makers): Node[] {
  if (node.type !== 'CallExpression') return [];
  const places = makers.get(String((node.callee as Node).name)) ?? [];
  return places.flatMap(([, place]) => (node.arguments as Node[])[place] ?? []);
}

/**
 * The text of an error that an object describes: its `message`, `refusal`, `problem` or `detail`. Also the `title` of
 * an error message in the window, and the `text` of a warning beside a result.
 */
function describedText(node: Node): Node | null {
  if (node.type === 'ObjectExpression') {
    const level = memberOf(node, 'level')?.value;
    if (level === 'error') return memberOf(node, 'title');
    if (level === 'warning') return memberOf(node, 'text');
    // Next to a label, `detail` explains an entry of a menu.
    return memberOf(node, 'label') ? null : memberOf(node, 'detail');
  }
  if (node.type !== 'Property') return null;
  const isText = /^(message|refusal|problem)$/.test(String((node.key as Node).name));
  return isText ? (node.value as Node) : null;
}

/**
 * The return values of a function named `refusal…`, and the values of a constant named `…refusals`, `…reasons` or
 * `…unfilterable`.
 */
function refusalTexts(node: Node): Node[] {
  const texts: Node[] = [];
  const named = functionOf(node);
  if (named && /^refusal/i.test(named.name)) {
    visit(named.body, (inner) => {
      if (inner.type === 'ReturnStatement' && inner.argument) texts.push(inner.argument as Node);
    });
  }
  const { id, init } = node as { id?: Node; init?: Node };
  if (
    node.type === 'VariableDeclarator' &&
    init &&
    /(refusals|reasons|unfilterable)$/i.test(String(id?.name))
  ) {
    visit(init, (inner) => {
      const isHint = (inner.key as Node | undefined)?.name === 'hint';
      if (inner.type === 'Property' && !isHint) texts.push(inner.value as Node);
      // A pair has the server's words first and our words last.
      if (inner.type === 'ArrayExpression') texts.push((inner.elements as Node[]).at(-1) as Node);
    });
  }
  return texts;
}

function memberOf(object: Node, name: string): Node | null {
  const found = (object.properties as Node[]).find((one) => (one.key as Node | undefined)?.name === name);
  return (found?.value as Node | undefined) ?? null;
}

/** The values of the file's constants under their names, and the bodies of its functions under `name()`. */
function constantsIn(program: Node): Map<string, Node> {
  const found = new Map<string, Node>();
  visit(program, (node) => {
    const { id, init } = node as { id?: Node; init?: Node };
    if (node.type === 'VariableDeclarator' && id?.type === 'Identifier' && init)
      found.set(String(id.name), init);
    const named = functionOf(node);
    if (named) found.set(`${named.name}()`, named.body);
  });
  return found;
}

/** The wordings that an expression can have, with `…` for parts that are not known. */
function wordings(node: Node, constants: Map<string, Node>, depth = 0): string[] {
  const go = (one: unknown) => wordings(one as Node, constants, depth + 1);
  if (depth > 8) return ['…'];
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : ['…'];
    case 'TemplateLiteral': {
      const quasis = node.quasis as { value: { cooked: string } }[];
      const holes = (node.expressions as Node[]).map(go);
      return quasis.reduce<string[]>(
        (texts, { value }, index) =>
          texts.flatMap((text) => (holes[index] ?? ['']).map((hole) => `${text}${value.cooked}${hole}`)),
        [''],
      );
    }
    case 'TaggedTemplateExpression':
      return go(node.quasi);
    case 'BinaryExpression':
      return go(node.left).flatMap((left) => go(node.right).map((right) => left + right));
    case 'ConditionalExpression':
      return [...go(node.consequent), ...go(node.alternate)];
    case 'LogicalExpression':
      return [...go(node.left), ...go(node.right)];
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return go(node.expression);
    case 'Identifier': {
      const constant = constants.get(String(node.name));
      return constant ? go(constant) : ['…'];
    }
    case 'CallExpression': {
      const made = constants.get(`${String((node.callee as Node).name)}()`);
      return made ? returnsOf(made).flatMap(go) : ['…'];
    }
    default:
      return ['…'];
  }
}

/** The results of a function: the body of an arrow function, or the values of its returns. */
function returnsOf(body: Node): Node[] {
  if (body.type !== 'BlockStatement') return [body];
  const found: Node[] = [];
  visit(body, (node) => {
    if (node.type === 'ReturnStatement' && node.argument) found.push(node.argument as Node);
  });
  return found;
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'object' && one !== null && 'type' in one) visit(one as Node, see);
    }
  }
}
