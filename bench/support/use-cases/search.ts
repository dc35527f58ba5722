import { collectGarbage } from '../../../platform/collect-garbage.ts';
import { createMenuViews } from '../../../modules/menus/storefront/menu-views.ts';
import {
  createSearchIndex,
  searchEntries,
} from '../../../modules/menus/storefront/search-index.ts';
import { computeEtag } from '../../../modules/menus/snapshot/encode.ts';
import { menuTemplate, menuText } from '../../../modules/menus/rules/snapshot/payload.ts';
import { GOLD } from '../../../test/support/search/gold.ts';
import { searchMenu } from '../../../test/support/search/menu.ts';
import { wideEntries, worstQueries } from '../../../test/support/search/worst.ts';
import { median, type Row } from '../report.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);
/** Copies of the catalog that make 2,000 products. */
const COPIES = 16;

/**
 * Measures the gold queries on a menu of 2,000 products, the worst queries, building the index, and
 * parsing the menu. Baseline: a scan of all texts.
 */
export async function measureSearch(): Promise<Row[]> {
  const menu = searchMenu(COPIES);
  const entries = searchEntries(menu);
  const texts = entries.map((entry) => Object.values(entry).join(' ').toLowerCase());
  const queries = GOLD.map(([query]) => query);

  const memory = await measureMemory(collectGarbage, () => createSearchIndex(entries));
  const index = await createSearchIndex(entries);
  const measured = {
    search: [] as number[],
    scan: [] as number[],
    build: [] as number[],
    pause: [] as number[],
  };

  for (let round = 0; round < ROUNDS + 2; round += 1) {
    const isWarm = round > 1;

    for (const query of queries) {
      const search = time(() => index.search(query));
      const scan = time(() => scanAll(texts, query));
      if (isWarm) measured.search.push(search);
      if (isWarm) measured.scan.push(scan);
    }

    const { ms, longestMs } = await measurePauses(() => createSearchIndex(entries));
    if (isWarm) measured.build.push(ms);
    if (isWarm) measured.pause.push(longestMs);
  }

  const wide = wideEntries(entries.length);
  const wideIndex = await createSearchIndex(wide);
  const hardest = [
    ...worstQueries(entries).map((text) => () => index.search(text)),
    ...worstQueries(wide).map((text) => () => wideIndex.search(text)),
  ].map((search) => median(Array.from({ length: ROUNDS }, () => time(search))));

  const content = { ...menu, modifierGroups: [] };
  const template = menuTemplate(content);
  const text = menuText(
    { revision: 1, organizationErpId: '', generatedAt: new Date() },
    template,
    [],
  );

  const parsing = Array.from({ length: ROUNDS }, () =>
    time(() => createMenuViews()(buildDocuments(text))),
  );
  const parsingBare = Array.from({ length: ROUNDS }, () => time(() => JSON.parse(text)));

  const quantile = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;
  const query = (share: number, bar: number): Row => {
    const [search, scan] = [quantile(measured.search, share), quantile(measured.scan, share)];
    return {
      what: `query, ${share * 100} %`,
      measured: `${search.toFixed(2)} ms`,
      yardstick: `letters in every text ${scan.toFixed(2)} ms`,
      ratio: search / scan,
      bar: bar === Infinity ? '' : `≤ ${bar} ms`,
      reached: search <= bar,
    };
  };

  const row = (
    what: string,
    values: readonly number[],
    bar: number,
    yardstick: number | null = null,
  ): Row => ({
    what,
    measured: `median ${median(values).toFixed(1)} ms, most ${Math.max(...values).toFixed(1)}`,
    yardstick: yardstick === null ? '' : `JSON.parse ${yardstick.toFixed(1)} ms`,
    ratio: yardstick === null ? null : median(values) / yardstick,
    bar: bar === Infinity ? '' : `≤ ${bar} ms`,
    reached: median(values) <= bar,
  });

  console.log(
    `${entries.length} products, ${queries.length} queries, ${ROUNDS} rounds; index ${memory.toFixed(1)} MiB`,
  );

  return [
    query(0.5, Infinity),
    query(0.95, 20),
    query(0.99, Infinity),
    {
      what: 'query, the worst of the worst',
      measured: `${Math.max(...hardest).toFixed(2)} ms`,
      yardstick: '',
      ratio: null,
      bar: '≤ 20 ms',
      reached: Math.max(...hardest) <= 20,
    },
    row('index, built', measured.build, Infinity),
    row('index, longest pause of the event loop', measured.pause, 50),
    row('menu taken apart after a publication', parsing, 50, median(parsingBare)),
  ];
}

function scanAll(texts: readonly string[], query: string): number {
  const words = query.toLowerCase().split(/\s+/);
  return texts.filter((entry) => words.every((word) => entry.includes(word))).length;
}

function buildDocuments(published: string) {
  const identity = Buffer.from(published);
  const menuDocument = { etag: computeEtag(identity), identity, gzip: null, br: null };

  return {
    organizationId: 1,
    revision: 1,
    etag: '',
    menu: menuDocument,
    menuRevision: menuDocument,
    availability: menuDocument,
    cardTexts: {},
    leftOut: null,
  };
}

function time(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

/** Returns MiB of heap that the result of `work` retains. */
async function measureMemory(collect: () => void, work: () => Promise<object>): Promise<number> {
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = await work();
  collect();
  const bytes = process.memoryUsage().heapUsed - before;

  return Object.keys(kept).length === 0 ? 0 : bytes / 2 ** 20;
}

/** Measures `work` and its longest block of the event loop. */
async function measurePauses(
  work: () => Promise<unknown>,
): Promise<{ ms: number; longestMs: number }> {
  let longestMs = 0;
  let last = performance.now();
  let isOver = false;
  const turn = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };

  setImmediate(turn);
  const begun = performance.now();
  await work();
  const ms = performance.now() - begun;
  isOver = true;

  return { ms, longestMs };
}
