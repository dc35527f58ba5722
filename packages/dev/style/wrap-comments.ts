import { parseSync } from 'oxc-parser';

export const COMMENT_WIDTH = 100;

/** `start` and `end` are the offsets of the first character and behind the last. */
export type Comment = { type: 'Line' | 'Block'; value: string; start: number; end: number };

/** Comments for tools, which stay in one line. */
const DIRECTIVE =
  /^[\s*]*(?:@ts-|@jest-|oxlint-|eslint-|squawk-ignore|prettier-|c8 |v8 |#__|!|\/ <)/;
/** Lines that keep their breaks: list items, tags, tables, code and headings. */
const ITEM = /^(?:[-*] |\d+[.)] )/;
const RAW = /^(?:\||```| {4}|#)/;

/** Returns comments in order. */
export const parseComments = (file: string, text: string): readonly Comment[] =>
  parseSync(file, text).comments;

const isDirective = ({ value }: Comment): boolean => DIRECTIVE.test(value);

/** A word longer than `width` gets a separate line. */
export function fill(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }

  return lines;
}

/** Wraps paragraphs with a line of more than `width` columns. */
function wrapLines(lines: readonly string[], width: number): string[] {
  const result: string[] = [];
  let paragraph: string[] = [];
  let isCode = false;
  const flush = (): void => {
    const indent = paragraph[0] !== undefined && ITEM.test(paragraph[0]) ? '  ' : '';
    const filled = paragraph.some((line) => line.length > width)
      ? fill(paragraph.join(' ').split(/\s+/), width - indent.length).map(
          (line, at) => (at > 0 ? indent : '') + line,
        )
      : paragraph;

    result.push(...filled);
    paragraph = [];
  };

  for (const line of lines) {
    const isFence = line.startsWith('```');
    if (line === '' || isCode || RAW.test(line)) {
      flush();
      result.push(line);
    } else {
      if (ITEM.test(line) || line.startsWith('@')) flush();
      paragraph.push(line);
    }

    if (isFence) isCode = !isCode;
  }

  flush();

  return result;
}

type Edit = { start: number; end: number; text: string };

function wrapBlock(comment: Comment, indent: string): string {
  const opening = comment.value.startsWith('*') ? '/**' : '/*';
  const content = comment.value.slice(opening.length - 2);
  const lines = content.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
  while (lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  const wrapped = wrapLines(lines, COMMENT_WIDTH - indent.length - ' * '.length);

  return [opening, ...wrapped.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join(
    '\n',
  );
}

function wrapRun(run: readonly Comment[], indent: string): string {
  const lines = run.map(({ value }) => value.replace(/^ /, '').trimEnd());
  return wrapLines(lines, COMMENT_WIDTH - indent.length - '// '.length)
    .map((line) => `// ${line}`.trimEnd())
    .join(`\n${indent}`);
}

/**
 * Lists comment lines longer than `COMMENT_WIDTH` columns. Ignores directives and single long
 * words.
 */
export function longLines(text: string, comment: Comment): string[] {
  if (isDirective(comment)) return [];
  const start = text.lastIndexOf('\n', comment.start - 1) + 1;

  return text
    .slice(start, comment.end)
    .split('\n')
    .filter((line) => line.length > COMMENT_WIDTH && line.replace(/^[\s/*]+/, '').includes(' '));
}

/** Wraps comments at `COMMENT_WIDTH` columns. A long comment after code moves to the line above. */
export function wrapComments(file: string, text: string): string {
  const lineStart = (offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
  const edits: Edit[] = [];

  for (const run of groupRuns(text, parseComments(file, text))) {
    if (run.every((comment) => longLines(text, comment).length === 0)) continue;
    const [{ type, start }] = run;
    const end = run.at(-1)!.end;
    const code = text.slice(lineStart(start), start);
    const indent = /^\s*/.exec(code)![0];
    const wrapped = type === 'Block' ? wrapBlock(run[0], indent) : wrapRun(run, indent);
    if (code.trim() === '') {
      const isFollowed = /^[ \t]+\S/.test(text.slice(end));
      edits.push({
        start,
        end: isFollowed ? text.slice(end).search(/\S/) + end : end,
        text: isFollowed ? `${wrapped}\n${indent}` : wrapped,
      });
    } else {
      edits.push({ start: lineStart(start), end: lineStart(start), text: `${indent}${wrapped}\n` });
      edits.push({ start: lineStart(start) + code.trimEnd().length, end, text: '' });
    }
  }

  return edits.reduceRight(
    (result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end),
    text,
  );
}

function groupRuns(text: string, comments: readonly Comment[]): [Comment, ...Comment[]][] {
  const runs: [Comment, ...Comment[]][] = [];

  for (const comment of comments) {
    const last = runs.at(-1)?.at(-1);
    const start = text.lastIndexOf('\n', comment.start - 1) + 1;
    const startsLine = (offset: number, at: number): boolean =>
      text.slice(at, offset).trim() === '';
    const continues =
      last !== undefined &&
      last.type === 'Line' &&
      comment.type === 'Line' &&
      !isDirective(last) &&
      !isDirective(comment) &&
      startsLine(last.start, text.lastIndexOf('\n', last.start - 1) + 1) &&
      last.end === start - 1 &&
      last.start - text.lastIndexOf('\n', last.start - 1) === comment.start - start + 1 &&
      startsLine(comment.start, start);

    if (continues) runs.at(-1)!.push(comment);
    else runs.push([comment]);
  }

  return runs;
}
