import { nameKey, readBlocks, withoutOneBlock } from '../modules/gifts/rules/comment-blocks.ts';
import { median, report, type Row } from './support/report.ts';

// `npm run carte -- bench comment-blocks`: reading and clearing of blocks in comments of customers,
// compared with reading every letter once, in turns.
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);
const COUNT = 20_000;
const LEAST_MB_PER_SECOND = 50;

const WORDS = [
  'аллергия',
  'на орехи,',
  'call',
  'twice',
  '[8 этаж]',
  '🍕',
  'домофон 12К',
  'не звонить\r\n',
  'Ring softly;',
];
const BLOCKS = ['[COMP]Лимонный тарт[/COMP]', '[comp] Lemon tart [/comp]', '[COMP]Чизкейк', '[COMP]Кофе[/COMP]'];

/** The usual: some words, in every second comment a block. */
const usual = Array.from({ length: COUNT }, (_, n) =>
  [...wordsFor(n, 12), ...(n % 2 === 0 ? [blockFor(n)] : [])].join(' '),
);
/** The worst: nothing but blocks, and brackets that begin none. */
const dense = Array.from({ length: COUNT }, (_, n) =>
  Array.from({ length: 8 }, (_, i) => `[${blockFor(n + i)}`).join(''),
);
/** One block to be found among the words. */
const clearable = Array.from(
  { length: COUNT },
  (_, n) => `${wordsFor(n, 12).join(' ')} [COMP]Тарт ${n}[/COMP] ${wordsFor(n, 3).join(' ')}`,
);

const rows: Row[] = [
  measure('comments of words, every second with a block: read', usual, (comment) => readBlocks(comment).blocks.length),
  measure('comments of nothing but blocks: read', dense, (comment) => readBlocks(comment).blocks.length),
  measure(
    'comments with one block: taken out',
    clearable,
    (comment, n) => withoutOneBlock(comment, nameKey(`тарт ${n}`)).kind.length,
  ),
];
await report('comment-blocks', rows, { comments: COUNT, rounds: ROUNDS });

function wordsFor(n: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => WORDS[(n * 7 + i * 3) % WORDS.length]!);
}

function blockFor(n: number): string {
  return BLOCKS[n % BLOCKS.length]!;
}

/** Megabytes (of UTF-8) of these comments in a second. */
function measure(what: string, comments: readonly string[], work: (comment: string, n: number) => number): Row {
  const megabytes = comments.reduce((sum, comment) => sum + Buffer.byteLength(comment), 0) / 1e6;
  const speeds = { work: [] as number[], letters: [] as number[] };
  let kept = 0;
  for (let round = 0; round < ROUNDS + 2; round += 1) {
    const perSecond = (entry: (comment: string, n: number) => number): number => {
      const begun = performance.now();
      for (const [n, comment] of comments.entries()) kept += entry(comment, n);
      return (megabytes * 1000) / (performance.now() - begun);
    };
    const speed = { work: perSecond(work), letters: perSecond(lettersOf) };
    if (round < 2) continue;
    speeds.work.push(speed.work);
    speeds.letters.push(speed.letters);
  }
  if (kept === 0) throw new Error('nothing was found');
  const [measured, yardstick] = [median(speeds.work), median(speeds.letters)];
  return {
    what,
    measured: `${measured.toFixed(0)} MB/s`,
    yardstick: `every letter once ${yardstick.toFixed(0)} MB/s`,
    ratio: measured / yardstick,
    bar: `≥ ${LEAST_MB_PER_SECOND} MB/s`,
    reached: measured >= LEAST_MB_PER_SECOND,
  };
}

function lettersOf(comment: string): number {
  let brackets = 0;
  for (let at = 0; at < comment.length; at += 1) if (comment.charCodeAt(at) === 91) brackets += 1;
  return brackets;
}
