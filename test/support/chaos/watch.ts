import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../text-database.ts';
import type { PublicMenu } from '../compare-menu.ts';
import { compileMenuSchema } from '../menu-schema.ts';

type Pauses = { runs: number; menus: number; anything: number };

export type Watch = {
  /** Violations that a guest would see, one sentence each. */
  problems: string[];
  seen: { menus: number; distinct: number; refusals: number; unanswered: number };
  /**
   * Longest time without a closed run, without a new menu, and without either. Excludes downtime.
   */
  longestPauseMs: Pauses;
  longestIdleMs: Pauses;
  stop(): Promise<void>;
};

const EVERY_MS = 150;
const SHORTEST_ANSWER_MS = 10_000;

/**
 * Polls public menus. A menu is wrong if it violates the schema, its revision decreases, or it has
 * two prices (see change-stream.ts).
 */
export function startWatch(options: {
  apiUrl: string;
  organizationIds: readonly string[];
  leavers: readonly string[];
  db: Database;
  isComplete: () => boolean;
}): Watch {
  const { apiUrl, organizationIds, leavers, db, isComplete } = options;
  const isValid = compileMenuSchema();
  const revisions = new Map<string, number>();
  const etags = new Set<string>();
  const watch: Watch = {
    problems: [],
    seen: { menus: 0, distinct: 0, refusals: 0, unanswered: 0 },
    longestPauseMs: { runs: 0, menus: 0, anything: 0 },
    longestIdleMs: { runs: 0, menus: 0, anything: 0 },
    stop,
  };
  let isOver = false;

  async function look(organizationId: string): Promise<void> {
    const signal = AbortSignal.timeout(SHORTEST_ANSWER_MS);
    const answer = await fetch(`${apiUrl}/api/v1/menu?organization_id=${organizationId}`, {
      signal,
    })
      .then(async (response) => ({
        status: response.status,
        etag: response.headers.get('etag'),
        text: await response.text(),
      }))
      .catch(() => undefined);
    if (answer === undefined) return void (watch.seen.unanswered += 1);
    if (answer.status !== 200) return void (watch.seen.refusals += 1);
    watch.seen.menus += 1;
    if (answer.etag !== null && !etags.has(answer.etag)) etags.add(answer.etag);
    watch.seen.distinct = etags.size;
    const menu = JSON.parse(answer.text) as PublicMenu;
    const problems = findProblems(menu).map(
      (problem) => `${organizationId} revision ${menu.revision}: ${problem}`,
    );
    watch.problems.push(...problems);
    revisions.set(organizationId, menu.revision);
  }

  function findProblems(menu: PublicMenu): string[] {
    const problems: string[] = [];
    if (!isValid(menu))
      problems.push(`breaks the schema: ${JSON.stringify(isValid.errors?.slice(0, 3))}`);
    if (menu.revision < (revisions.get(menu.organizationId) ?? 0))
      problems.push('an older revision than before');
    const prices = new Set([
      ...menu.products
        .flatMap(({ variants }) => variants)
        .filter(({ available, erpItemId }) => available && !leavers.includes(erpItemId))
        .map(({ price }) => price),
      ...menu.modifierGroups
        .flatMap(({ modifiers }) => modifiers)
        .filter(({ available }) => available)
        .map(({ price }) => price),
    ]);
    if (prices.size > 1) problems.push(`a mixture of prices ${[...prices].join(', ')}`);
    return problems;
  }

  async function watchMenus(): Promise<void> {
    while (!isOver) {
      for (const organizationId of organizationIds) await look(organizationId);
      await delay(EVERY_MS);
    }
  }

  async function watchProgress(): Promise<void> {
    let last = { runs: '', menus: '' };
    let at = Date.now();
    const clocks = [pauseClock(watch.longestPauseMs), pauseClock(watch.longestIdleMs)] as const;
    while (!isOver) {
      const [row = last] = await db
        .query<{ runs: string; menus: string }>(
          `select (select max(finished_at)::text from sync_run where status in ('SUCCESS', 'SKIPPED')) as runs,
                  (select string_agg(concat(organization_id, revision, generated_at, patched_at), ',' order by organization_id) from snapshot) as menus`,
        )
        .catch(() => []);
      const now = Date.now();
      const progress = { runs: row.runs !== last.runs, menus: row.menus !== last.menus };
      clocks[0](now - at, progress);
      clocks[1](isComplete() ? now - at : 0, progress);
      [last, at] = [row, now];
      await delay(EVERY_MS);
    }
  }

  const running = Promise.all([watchMenus(), watchProgress()]);
  async function stop(): Promise<void> {
    isOver = true;
    await running;
  }
  return watch;
}

function pauseClock(
  longest: Pauses,
): (passedMs: number, progress: { runs: boolean; menus: boolean }) => void {
  const since: Pauses = { runs: 0, menus: 0, anything: 0 };
  return (passedMs, { runs, menus }) => {
    const hasProgress = { runs, menus, anything: runs || menus };
    for (const kind of ['runs', 'menus', 'anything'] as const) {
      since[kind] = hasProgress[kind] ? 0 : since[kind] + passedMs;
      longest[kind] = Math.max(longest[kind], since[kind]);
    }
  };
}
