import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  nameKey,
  readBlocks,
  withoutOneBlock,
} from '../../../modules/gifts/rules/comment-blocks.ts';
import { erpText } from '../../../kernel/pure/erp-text.ts';
import { repetitions } from '../../support/repetitions.ts';

const names = (comment: string): string[] => readBlocks(comment).blocks.map(({ name }) => name);
const damage = (comment: string): string[] =>
  readBlocks(comment).damage.map(({ start, end }) => comment.slice(start, end));

describe('the blocks of a comment', () => {
  test.each([
    ['one in the middle', 'Allergic to nuts [COMP]Lemon tart[/COMP], ring twice', ['Lemon tart']],
    [
      'several, equal ones too',
      '[COMP]Tart[/COMP][COMP]Cake[/COMP] [COMP]Tart[/COMP]',
      ['Tart', 'Cake', 'Tart'],
    ],
    [
      '[CMP-30] tags in other letters, the name trimmed',
      '[comp] \u00a0Lemon tart\r\n[/Comp]',
      ['Lemon tart'],
    ],
    [
      'a name with brackets, lines and emoji',
      '[COMP]Roll [8] 🍣\r\nhot[/COMP]',
      ['Roll [8] 🍣\r\nhot'],
    ],
    ['none', 'Allergic to [nuts], COMP', []],
    ['an empty text', '', []],
  ])('%s', (_what, comment, expected) => {
    expect(names(comment)).toEqual(expected);
    expect(damage(comment)).toEqual([]);
  });

  test.each([
    ['an opening tag alone', 'a [COMP]Tart', [], ['[COMP]']],
    ['a closing tag alone', 'Tart[/COMP] b', [], ['[/COMP]']],
    [
      'one that was never closed before a whole one',
      '[COMP]Tart [COMP]Cake[/COMP]',
      ['Cake'],
      ['[COMP]'],
    ],
    ['blocks inside blocks', '[COMP]a[COMP]b[/COMP]c[/COMP]', ['b'], ['[COMP]', '[/COMP]']],
    ['one closed twice', '[COMP]Tart[/COMP][/COMP]', ['Tart'], ['[/COMP]']],
    ['one without a name', '[COMP] \n [/COMP]', [], ['[COMP] \n [/COMP]']],
    ['tags with spaces', '[ COMP ]Tart[/COMP]', [], ['[ COMP ]', '[/COMP]']],
    ['tags with the other slash', '[COMP]Tart[\\COMP]', [], ['[COMP]', '[\\COMP]']],
    ['tags in Cyrillic letters', '[СОМР]Tart[/СОМР]', [], ['[СОМР]', '[/СОМР]']],
    [
      'a tag in Cyrillic letters inside',
      '[COMP]Tart[/СОМР] Cake[/COMP]',
      [],
      ['[COMP]', '[/СОМР]', '[/COMP]'],
    ],
  ])('[CMP-31] count as damaged: %s', (_what, comment, blocks, expected) => {
    expect(names(comment)).toEqual(blocks);
    expect(damage(comment)).toEqual(expected);
  });
});

describe('the removal of a block', () => {
  test.each([
    ['keeps everything else', 'Nuts \r\n[COMP] Lemon tart[/COMP]  b', 'lemon tart', 'Nuts \r\n  b'],
    ['makes the comment empty after the last block', '[comp]LEMON TART[/comp]', 'lemon tart', ''],
    [
      '[CMP-33] removes exactly one of equal ones',
      '[COMP]Tart[/COMP]-[COMP]tart [/COMP]',
      'tart',
      '-[COMP]tart [/COMP]',
    ],
    ['keeps a damaged block next to it', '[COMP]Tart [COMP]Tart[/COMP]', 'tart', '[COMP]Tart '],
    [
      'removes the removable one of equal ones',
      '[COMP]a[COMP]x[/COMP]b[/COMP] [COMP]x[/COMP]',
      'x',
      '[COMP]a[COMP]x[/COMP]b[/COMP] ',
    ],
  ])('%s', (_what, comment, key, rest) => {
    expect(withoutOneBlock(comment, key)).toEqual({ kind: 'REMOVED', comment: rest });
  });

  test.each([
    ['the tags around it would become a block', '[COMP]a[COMP]b[/COMP]c[/COMP]', 'b'],
    ['text around it would become a tag', '[CO[COMP]x[/COMP]MP]tart[/COMP]', 'x'],
    ['text around it would look like a tag', '[ CO[COMP]x[/COMP]MP ]', 'x'],
    [
      'what stands before it would become a block without a name',
      '[COMP] [/CO[COMP]x[/COMP]MP]',
      'x',
    ],
    [
      'what stands behind it would become a block without a name',
      '[CO[COMP]x[/COMP]MP] [/COMP]',
      'x',
    ],
    ['the comment holds half of a character', 'a\ud83d[COMP]x[/COMP]', 'x'],
    ['the comment holds a NUL', 'a\0[COMP]x[/COMP]', 'x'],
  ])('[CMP-33] fails if %s', (_why, comment, key) => {
    expect(withoutOneBlock(comment, key)).toEqual({ kind: 'UNSAFE' });
  });

  test.each([['[COMP]Cake[/COMP]'], ['[COMP]Tart'], ['']])('finds no block: %s', (comment) => {
    expect(withoutOneBlock(comment, 'tart')).toEqual({ kind: 'ABSENT' });
  });
});

test.each([
  ['letters of any case', 'ЛИМОННЫЙ Тарт', ' лимонный тарт\r\n'],
  ['composed and decomposed letters', 'Кофейный \u0439', 'кофейный \u0438\u0306'],
  ['a letter that has two small forms', 'ΟΔΟΣ', 'οδοσ'],
  ['a letter that becomes two', 'Spieß', 'SPIESS'],
])('[CMP-32] the comparison of names ignores %s', (_what, one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
});
test('the comparison of names finds differences inside', () => {
  expect(nameKey('Lemon  tart')).not.toBe(nameKey('Lemon tart'));
});

/** Number of runs; 20,000 in a soak. */
const RUNS = repetitions(1) > 1 ? repetitions(2_000) : 400;
/** Parts of comments that resemble blocks. */
const NEAR = fc.constantFrom(
  '[COMP]', '[/COMP]', '[comp]', '[/cOmP]', '[ COMP ]', '[\\COMP]', '[СОМР]', '[/СОМР]', '[COMP', 'COMP]', '[CO',
  'MP]', '[', ']', '/', ' ', '\r\n', '\n', '\u00a0', '\u200b', '\ufeff', 'Tart', 'tart', ' TART ', 'ß', 'ẞ', 'SS',
  '\u00e9', 'e\u0301', '\u0301', '🍕', '👨‍👩‍👧', '\ud83c', '\udf55', '\0', '\u0007', '<', '&amp;', '"', '\\',
  '[COMP]Tart[/COMP]', '[COMP] tart\t[/COMP]', '[COMP]Cake[/COMP]', '[COMP][/COMP]', '[COMP]a[COMP]tart[/COMP]',
); // oxfmt-ignore
const COMMENT = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: NEAR },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
    ),
    {
      maxLength: 12,
    },
  )
  .map((pieces) => pieces.join(''));

function tagsSlowly(comment: string): { start: number; end: number; kind: string }[] {
  const WORD = ['cCсС', 'oOоО', 'mMмМ', 'pPрР'];
  const isSpace = (at: number): boolean => at < comment.length && comment[at]!.trim() === '';
  const found = [];
  for (let start = 0; start < comment.length; start += 1) {
    if (comment[start] !== '[') continue;
    let at = start + 1;
    while (isSpace(at) || comment[at] === '/' || comment[at] === '\\') at += 1;
    const isWord = WORD.every(
      (letters, offset) => at + offset < comment.length && letters.includes(comment[at + offset]!),
    );
    if (!isWord) continue;
    at += WORD.length;
    while (isSpace(at)) at += 1;
    if (comment[at] !== ']') continue;
    const end = at + 1;
    const kind = comment
      .slice(start, end)
      .replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));
    found.push({ start, end, kind });
  }
  return found;
}

/** A separate algorithm for blocks: finds every opening tag whose next tag closes it. */
function blocksSlowly(comment: string): { start: number; end: number; name: string }[] {
  const tags = tagsSlowly(comment);
  return tags.flatMap((tag, index) => {
    const next = tags[index + 1];
    if (tag.kind !== '[comp]' || next?.kind !== '[/comp]') return [];
    const name = comment.slice(tag.end, next.start).trim();
    return name === '' ? [] : [{ start: tag.start, end: next.end, name }];
  });
}

/** Returns every cut of a block with this name that changes no other tag. */
function cutsSlowly(comment: string, key: string): string[] {
  if (comment.includes('\0') || Buffer.from(comment, 'utf8').toString('utf8') !== comment)
    return [];
  const kinds = (text: string): string => JSON.stringify(tagsSlowly(text).map(({ kind }) => kind));
  return blocksSlowly(comment)
    .filter(({ name }) => nameKey(name) === key)
    .flatMap((block) => {
      const [head, tail] = [comment.slice(0, block.start), comment.slice(block.end)];
      const before = tagsSlowly(head).map(({ kind }) => kind);
      const behind = tagsSlowly(tail).map(({ kind }) => kind);
      const wouldPair = before.at(-1) === '[comp]' && behind[0] === '[/comp]';
      return !wouldPair && kinds(head + tail) === JSON.stringify([...before, ...behind])
        ? [head + tail]
        : [];
    });
}

test('[CMP-30, CMP-33] random comments read like in a model, and at most one block is removed', () => {
  const tally = { REMOVED: 0, ABSENT: 0, UNSAFE: 0 };
  fc.assert(
    fc.property(COMMENT, (comment) => {
      const { blocks, damage: damaged } = readBlocks(comment);
      expect(blocks).toEqual(blocksSlowly(comment));
      // Every tag is part of a block or of some damage.
      for (const tag of tagsSlowly(comment)) {
        const holds = [...blocks, ...damaged].filter(
          ({ start, end }) => start <= tag.start && tag.end <= end,
        );
        expect(holds).toHaveLength(1);
      }
      for (const key of new Set([...blocks.map(({ name }) => nameKey(name)), 'cake'])) {
        const removal = withoutOneBlock(comment, key);
        const allowed = cutsSlowly(comment, key);
        tally[removal.kind] += 1;
        expect(removal.kind === 'ABSENT').toBe(blocks.every(({ name }) => nameKey(name) !== key));
        // The result is one of the cuts.
        const left = removal.kind === 'REMOVED' ? Buffer.from(removal.comment) : null;
        expect(
          left === null
            ? allowed.length === 0
            : allowed.some((text) => left.equals(Buffer.from(text))),
        ).toBe(true);
      }
      // A customer's text never contains a block.
      expect(tagsSlowly(erpText(comment, 1_000))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
  expect(Math.min(...Object.values(tally))).toBeGreaterThan(20);
});
