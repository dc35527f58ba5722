import { parseSync } from 'oxc-parser';
import type { Expression, Node } from 'oxc-parser';
import { sqlParts, type Part } from './sql-places.ts';

/**
 * A removable part of a source. Its id survives other edits of the file: file, function, operator
 * and removed part, with a number if it repeats.
 */
export type Place = Part & { id: string; file: string };

const LOCK_CALLS = new Set([
  'forUpdate',
  'forNoKeyUpdate',
  'forShare',
  'forKeyShare',
  'skipLocked',
  'onConflict',
]);

type Read = { source: string; take: (part: Part) => void };
type Operators = { [T in Node['type']]?: (node: Extract<Node, { type: T }>, read: Read) => void };

/**
 * Operators by node kind. `drop` removes a part, `true` and `false` replace a condition, and
 * `unwrap` runs the argument of a call directly.
 */
const OPERATORS: Operators = {
  ExpressionStatement({ expression, start, end }, { take }) {
    if (!nameOf(expression).startsWith('advisory.'))
      take({ operator: 'drop', subject: nameOf(expression), start, end, left: ';' });
  },
  CallExpression(node, read) {
    chainPart(node, read);
    lockingCall(node, read);
    wrappingCall(node, read);
    const last = node.arguments.at(-1);
    if (node.arguments.length > 1 && last?.type === 'Identifier')
      read.take({
        operator: 'drop',
        subject: `${nameOf(node.callee)}(${last.name})`,
        ...pickRange(last),
        left: 'undefined',
      });
  },
  Property({ key, value, start, end }, { take }) {
    const name = nameOf(key as Expression);
    take({
      operator: 'drop',
      subject: `${name}:`,
      start,
      end,
      left: '...{}',
      isLock: name === 'lockMode',
    });

    once(name, value as Expression, take);
  },
  VariableDeclarator({ id, init }, { take }) {
    if (id.type === 'Identifier' && init !== null) once(id.name, init, take);
  },
  ArrayExpression({ elements }, { take }) {
    for (const element of elements)
      if (element !== null && element.type !== 'SpreadElement')
        take({
          operator: 'drop',
          subject: `[${nameOf(element)}]`,
          ...pickRange(element),
          left: '...[]',
        });
  },
  BinaryExpression(node, { take, source }) {
    if (/^[!=<>]=*$|instanceof/.test(node.operator)) decide(node, take);
    if (/^[-+]$/.test(node.operator))
      take({
        operator: 'drop',
        subject: `${node.operator} ${nameOf(node.right)}`,
        ...pickRange(node),
        left: source.slice(node.left.start, node.left.end),
      });
  },
  LogicalExpression({ operator, left, right }, { take }) {
    if (operator !== '??') for (const entry of [left, right]) decide(entry, take);
  },
  IfStatement({ test }, { take }) {
    decide(test, take);
    if (test.type !== 'LogicalExpression') return;
    // Parts of the condition are visited separately.
    for (const left of ['true', 'false'])
      take({ operator: left, subject: `if ${nameOf(test)}`, ...pickRange(test), left });
  },
  ConditionalExpression: ({ test }, { take }) => decide(test, take),
  Literal({ value, start, end }, { take, source }) {
    if (value === 'FAIL')
      take({ operator: 'share', subject: 'FAIL', start, end, left: `'USE_EXISTING'` });
    if (typeof value === 'string') textParts({ start, end, holes: [] }, { take, source });
  },
  TemplateLiteral({ expressions, start, end }, read) {
    textParts({ start, end, holes: expressions }, read);
  },
};

/** Handles a call in a chain: `.where('status', …)`. A dropped lock includes `skip locked`. */
function chainPart(node: Extract<Node, { type: 'CallExpression' }>, { take, source }: Read): void {
  const { callee, arguments: given } = node;
  if (callee.type !== 'MemberExpression' || callee.computed) return;
  const { name } = callee.property as { name: string };
  const object = callee.object.type === 'Identifier' ? callee.object.name : '';
  if (object === 'advisory') return;
  const [first] = given;
  const value = first?.type === 'Literal' ? ` ${String(first.value)}` : '';
  const subject = `${object}.${name}${value}`;
  const start = callee.object.end;
  const skips = name.startsWith('for')
    ? (/^\s*\.skipLocked\(\)/.exec(source.slice(node.end))?.[0].length ?? 0)
    : 0;
  take({
    operator: 'drop',
    subject,
    start,
    end: node.end + skips,
    left: '',
    isLock: LOCK_CALLS.has(name),
  });

  const column = /\.where\('(\w+)'/.exec(source.slice(node.end))?.[1];
  // Replaces the deletion by a write, so that the row is returned but stays.
  if (name === 'deleteFrom' && column !== undefined)
    take({
      operator: 'keep',
      subject,
      start,
      end: node.end,
      left: `.updateTable(${source.slice(first!.start, first!.end)}).set((eb) => ({ ${column}: eb.ref('${column}') }))`,
    });
}

function lockingCall(
  node: Extract<Node, { type: 'CallExpression' }>,
  { take, source }: Read,
): void {
  const name = nameOf(node.callee);
  const text = (at: number): string =>
    source.slice(node.arguments[at]!.start, node.arguments[at]!.end);
  if (name.startsWith('advisory.'))
    take({ operator: 'drop', subject: name, ...pickRange(node), left: 'true', isLock: true });
  if (name === 'holdForEdit')
    take({
      operator: 'unlock',
      subject: name,
      ...pickRange(node),
      left: `${text(0)}.em.findOneOrFail(${text(1)}, ${text(2)})`,
    });

  if (name === 'AbortSignal.timeout')
    take({
      operator: 'endless',
      subject: name,
      ...pickRange(node),
      left: 'new AbortController().signal',
    });

  const [first] = node.arguments;
  if (first?.type === 'Identifier' && first.name === 'tx')
    take({
      operator: 'detach',
      subject: name,
      ...pickRange(first),
      left: '{ ...tx, db: deps.db.db }',
    });
}

function wrappingCall(
  node: Extract<Node, { type: 'CallExpression' }>,
  { take, source }: Read,
): void {
  const last = node.arguments.at(-1);
  if (last === undefined) return;
  const body =
    last.type === 'ArrowFunctionExpression' && last.params.length === 0 ? last.body : null;
  const runs = last.type === 'Identifier' && nameOf(node.callee).endsWith('.then');
  if (body === null && last.type !== 'Identifier') return;
  const left = `(${source.slice((body ?? last).start, (body ?? last).end)}${runs ? '()' : ''})`;
  take({ operator: 'unwrap', subject: nameOf(node.callee), ...pickRange(node), left });
}

/** Replaces a number by 1, for one try or one round. */
function once(name: string, value: Expression, take: Read['take']): void {
  if (value.type === 'Literal' && typeof value.value === 'number')
    take({ operator: 'once', subject: name, ...pickRange(value), left: '1' });
}

/** Replaces a condition, or each operand of `and` and `or`. */
function decide(node: Expression, take: Read['take']): void {
  if (node.type === 'ParenthesizedExpression') return decide(node.expression, take);
  if (node.type === 'LogicalExpression' && node.operator !== '??') return;
  const subject = node.type === 'BinaryExpression' ? nameOf(node.left as Expression) : nameOf(node);
  for (const left of ['true', 'false']) take({ operator: left, subject, ...pickRange(node), left });
}

const SQL_WORDS =
  /\b(?:select|insert into|update|delete from|where|on conflict|order by|exists|isolation level|greatest|share|skip locked|lock table)\b|\w [<>=]+ \w/;

function textParts(
  text: { start: number; end: number; holes: readonly Node[] },
  { take, source }: Read,
): void {
  const [start, end] = [text.start + 1, text.end - 1];
  const raw = source.slice(start, end);
  let masked = raw;

  for (const hole of text.holes) {
    const [from, to] = [hole.start - start - 2, hole.end - start + 1];
    masked = masked.slice(0, from) + '$'.repeat(to - from) + masked.slice(to);
  }

  if (!SQL_WORDS.test(masked)) return;
  for (const part of sqlParts(raw, masked))
    take({ ...part, start: start + part.start, end: start + part.end });
}

const pickRange = ({ start, end }: Node): { start: number; end: number } => ({ start, end });

/** Returns a readable name: `a.b()` for `(await a.b(c))!`. */
function nameOf(node: Node): string {
  if ('name' in node && typeof node.name === 'string') return node.name;
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'MemberExpression') return `${nameOf(node.object)}.${nameOf(node.property)}`;
  if (node.type === 'CallExpression') return `${nameOf(node.callee)}()`;
  if (node.type === 'UnaryExpression') return `${node.operator}${nameOf(node.argument)}`;
  if (node.type === 'AssignmentExpression' || node.type === 'BinaryExpression')
    return `${nameOf(node.left)} ${node.operator}`;
  if (node.type === 'AwaitExpression') return nameOf(node.argument);
  if (node.type === 'LogicalExpression') return nameOf(node.left);

  return 'expression' in node && typeof node.expression === 'object'
    ? nameOf(node.expression)
    : '…';
}

/** Returns all removable parts and locks of a source. Throws if the source cannot be parsed. */
export function findPlaces(file: string, source: string): Place[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new Error(`${file} does not parse: ${errors[0].message}`);
  const places = new Map<string, Place>();
  const seen = new Set<string>();
  const visit = (node: unknown, owner: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const entry of node) visit(entry, owner);
      return;
    }

    const within = 'type' in node ? (findOwner(node as Node, owner) ?? owner) : owner;
    const take = (part: Part): void => {
      const key = [part.operator, part.start, part.end].join();
      if (seen.has(key)) return;
      seen.add(key);
      const name = [file, within, part.operator, part.subject].join(' ');
      let id = name;
      for (let count = 2; places.has(id); count += 1) id = `${name} #${count}`;
      places.set(id, { ...part, id, file });
    };

    if ('type' in node)
      (OPERATORS[(node as Node).type] as ((node: unknown, read: Read) => void) | undefined)?.(
        node,
        { source, take },
      );

    for (const [key, below] of Object.entries(node)) if (key !== 'parent') visit(below, within);
  };

  visit(program, '');

  return [...places.values()];
}

function findOwner(node: Node, outer: string): string | undefined {
  const isFunction = (value: Node | null): boolean => value !== null && /Function/.test(value.type);
  if (node.type === 'FunctionDeclaration') return node.id?.name;
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier')
    return outer === '' || isFunction(node.init) ? node.id.name : undefined;
  if ((node.type === 'Property' || node.type === 'MethodDefinition') && isFunction(node.value))
    return nameOf(node.key);

  return undefined;
}
