import { parseSync, Visitor } from 'oxc-parser';
import type { Node } from 'oxc-parser';
import type { Source } from './sources.ts';
import { AVOIDED, AVOIDED_IN_CODE } from './words.ts';
import { parseComments, COMMENT_WIDTH, longLines } from './wrap-comments.ts';

const TITLE_LENGTH = 100;
const SUBJECT_LENGTH = 72;

const CLAUSE = /^\*\s*(?:\*\s*)*(?:What|Who|Whom|Whose|Whether|How|Which|Where|When|If)\b/;
/** Words that continue the title of the `describe`. */
const CONTINUATION = /^(?:and|or|but|whose|whom|which)\b/;
/** Words that require a subject before them. A failure shows the title without its file. */
const WITHOUT_SUBJECT =
  /^(?:is|are|was|were|of|by|has|have|does|do|did|gets|get|leaves|its|with|for)\b/;
const TESTS = ['test', 'it', 'longTest', 'testWith'];
/** Functions whose title follows the program that they need. */
const WITH_PROGRAM = ['testWith', 'describeWith'];
const IDS = /^\[[^\]]*\] /;
const MARKED = /`[^`\n]*`|\]\([^)]*\)|https?:\S+/g;

type Pattern = { pattern: RegExp; instead: string };

const toPatterns = (words: Readonly<Record<string, string>>): Pattern[] =>
  Object.entries(words).map(([alternatives, instead]) => ({
    pattern: new RegExp(String.raw`\b(?:${alternatives})\b`, 'gi'),
    instead,
  }));

const IN_DOCUMENTS = toPatterns(AVOIDED);
const IN_CODE = toPatterns({ ...AVOIDED, ...AVOIDED_IN_CODE });

function avoidedWords(text: string, patterns: readonly Pattern[]): string[] {
  const plain = text.replaceAll(MARKED, '');
  return patterns.flatMap(({ pattern, instead }) =>
    (plain.match(pattern) ?? []).map((word) => `avoid "${word}" (${instead})`),
  );
}

/** Lists faults of comments: width, first word of doc comments, avoided words. */
export function commentFaults({ file, text }: Source): string[] {
  return parseComments(file, text).flatMap((comment) => {
    const line = text.slice(0, comment.start).split('\n').length;
    const isDoc = comment.type === 'Block' && CLAUSE.test(comment.value);

    return [
      ...longLines(text, comment).map(
        (long) => `the comment has ${long.length} columns, at most ${COMMENT_WIDTH} are allowed`,
      ),
      ...(isDoc ? ['the comment begins with a clause: begin with a verb or a noun phrase'] : []),
      ...avoidedWords(comment.value.replaceAll(/\n\s*\*/g, '\n'), IN_CODE),
    ].map((fault) => `${file}:${line}: ${fault}`);
  });
}

/**
 * Checks length, first word and avoided words. If the title of a table begins with `%s`, the
 * first cells of its rows are titles too.
 */
export function titleFaults({ file, text }: Source): string[] {
  const faults: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [first, second] }) {
      const isTest = TESTS.some((name) => isCallTo(callee, name));
      const needsProgram = WITH_PROGRAM.some((name) => isCallTo(callee, name));
      const argument = needsProgram ? second : first;
      const title = argument && readText(argument);
      if (title === undefined || !(isTest || needsProgram || isCallTo(callee, 'describe'))) return;

      const claim = title.replace(IDS, '');
      const found = [
        ...(title.length > TITLE_LENGTH
          ? [`has ${title.length} characters, at most ${TITLE_LENGTH} are allowed`]
          : []),
        ...avoidedWords(claim, IN_CODE),
      ];

      faults.push(...found.map((fault) => `${file}: the title "${title}" ${fault}`));
      const claims = claim.startsWith('%s') ? firstCells(callee) : [title];
      if (isTest)
        faults.push(...claims.flatMap(beginningFaults).map((fault) => `${file}: ${fault}`));
    },
  }).visit(parseSync(file, text).program);

  return faults;
}

function beginningFaults(title: string): string[] {
  const claim = title.replace(IDS, '');
  if (CONTINUATION.test(claim))
    return [`the title "${title}" continues another title: begin with a subject or a verb`];

  return WITHOUT_SUBJECT.test(claim)
    ? [
        `the title "${title}" has no subject: begin with a subject, or with the verb of a noun in describe`,
      ]
    : [];
}

function firstCells(callee: Node): string[] {
  if (callee.type !== 'CallExpression') return [];
  const [table] = callee.arguments;
  const rows = table?.type === 'TSAsExpression' ? table.expression : table;
  if (rows?.type !== 'ArrayExpression') return [];

  return rows.elements.flatMap((row) => {
    const cell = row?.type === 'ArrayExpression' ? row.elements[0] : row;
    const text = cell ? readText(cell) : undefined;
    return text === undefined ? [] : [text];
  });
}

function isCallTo(callee: Node, name: string): boolean {
  if (callee.type === 'Identifier') return callee.name === name;
  if (callee.type === 'MemberExpression') return isCallTo(callee.object, name);
  return callee.type === 'CallExpression' && isCallTo(callee.callee, name);
}

/** Returns a literal with `…` for template values. Undefined for other nodes. */
function readText(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  return node.type === 'TemplateLiteral'
    ? node.quasis.map(({ value }) => value.cooked).join('…')
    : undefined;
}

export function documentFaults({ file, text }: Source): string[] {
  const withoutCode = text.replaceAll(/^```[\s\S]*?^```/gm, (code) =>
    code.replaceAll(/[^\n]/g, ''),
  );
  return withoutCode
    .split('\n')
    .flatMap((line, at) =>
      avoidedWords(line, IN_DOCUMENTS).map((fault) => `${file}:${at + 1}: ${fault}`),
    );
}

export function subjectFaults(subjects: readonly string[]): string[] {
  return subjects
    .filter((subject) => subject.length > SUBJECT_LENGTH)
    .map(
      (subject) =>
        `the subject "${subject}" has ${subject.length} characters, at most ${SUBJECT_LENGTH} are allowed`,
    );
}
