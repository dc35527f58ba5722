import { parseSync, Visitor } from 'oxc-parser';
import type { Node } from 'oxc-parser';
import type { Source } from './sources.ts';
import { AVOIDED, AVOIDED_IN_CODE } from './words.ts';
import { commentsOf, COMMENT_WIDTH, longLines } from './wrap-comments.ts';

const TITLE_LENGTH = 100;
const SUBJECT_LENGTH = 72;

const CLAUSE = /^\*\s*(?:\*\s*)*(?:What|Who|Whom|Whose|Whether|How|Which|Where|When|If)\b/;
/** Words of a title that only continue the title of its `describe`. */
const CONTINUATION = /^(?:and|or|but|whose|whom|which)\b/;
/** Code and links, which may contain any words. */
const MARKED = /`[^`\n]*`|\]\([^)]*\)|https?:\S+/g;

type Pattern = { pattern: RegExp; instead: string };

const patternsOf = (words: Readonly<Record<string, string>>): Pattern[] =>
  Object.entries(words).map(([alternatives, instead]) => ({
    pattern: new RegExp(String.raw`\b(?:${alternatives})\b`, 'gi'),
    instead,
  }));

const IN_DOCUMENTS = patternsOf(AVOIDED);
const IN_CODE = patternsOf({ ...AVOIDED, ...AVOIDED_IN_CODE });

function avoidedWords(text: string, patterns: readonly Pattern[]): string[] {
  const plain = text.replaceAll(MARKED, '');
  return patterns.flatMap(({ pattern, instead }) =>
    (plain.match(pattern) ?? []).map((word) => `avoid "${word}" (${instead})`),
  );
}

/** Lists faults of comments: width, first word of doc comments, avoided words. */
export function commentFaults({ file, text }: Source): string[] {
  return commentsOf(file, text).flatMap((comment) => {
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

/** Lists faults of test titles: length, a continuation as the first word, avoided words. */
export function titleFaults({ file, text }: Source): string[] {
  const faults: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [argument] }) {
      const isTest = isCallOf(callee, 'test');
      const title = argument && textOf(argument);
      if (title === undefined || !(isTest || isCallOf(callee, 'describe'))) return;
      const claim = title.replace(/^\[[^\]]*\] /, '');
      const found = [
        ...(title.length > TITLE_LENGTH ? [`has ${title.length} characters, at most ${TITLE_LENGTH} are allowed`] : []),
        ...(isTest && CONTINUATION.test(claim) ? ['continues another title: begin with a subject or a verb'] : []),
        ...avoidedWords(claim, IN_CODE),
      ];
      faults.push(...found.map((fault) => `${file}: the title "${title}" ${fault}`));
    },
  }).visit(parseSync(file, text).program);
  return faults;
}

/** Returns true for `name(…)`, `name.each(…)(…)` and other members of `name`. */
function isCallOf(callee: Node, name: string): boolean {
  if (callee.type === 'Identifier') return callee.name === name;
  if (callee.type === 'MemberExpression') return isCallOf(callee.object, name);
  return callee.type === 'CallExpression' && isCallOf(callee.callee, name);
}

/** Returns the text of a literal with `…` for template values. Undefined for other nodes. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked).join('…') : undefined;
}

/** Lists avoided words of a document with their lines. */
export function documentFaults({ file, text }: Source): string[] {
  const withoutCode = text.replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, ''));
  return withoutCode
    .split('\n')
    .flatMap((line, at) => avoidedWords(line, IN_DOCUMENTS).map((fault) => `${file}:${at + 1}: ${fault}`));
}

/** Lists commit subjects that are longer than 72 characters. */
export function subjectFaults(subjects: readonly string[]): string[] {
  return subjects
    .filter((subject) => subject.length > SUBJECT_LENGTH)
    .map(
      (subject) => `the subject "${subject}" has ${subject.length} characters, at most ${SUBJECT_LENGTH} are allowed`,
    );
}
