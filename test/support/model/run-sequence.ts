import { expect } from '@jest/globals';
import { prepareSnapshot } from '../../../modules/menus/snapshot/prepare-snapshot.ts';
import { COMING_AND_GOING, type Accident, type ImportStep, type Step } from './draws.ts';
import { answerFor, buildContent, type ContentDraw, type ErpContent } from './erp.ts';
import type { MirrorModel, Prepared, Ready } from './model-fixture.ts';
import { readMirror, listLines } from './read-mirror.ts';
import * as reference from './reference-mirror.ts';
import type { Mode, ReferenceMirror, ReferenceRun } from './reference-mirror.ts';
import { selectRows } from '../rows.ts';

/** Counts of events in a sequence. An event that never occurs would prove nothing. */
export type Tally = Record<string, number>;

type ErpMenu = { id: string; draw: ContentDraw; revision: number; isListed: boolean };

const MENU_IDS = ['model-1', 'model-2'] as const;

export async function runSequence(
  fixture: MirrorModel,
  { first, steps }: { first: [ContentDraw, ContentDraw]; steps: readonly Step[] },
  tally: Tally,
): Promise<void> {
  const erp: ErpMenu[] = [];
  const present = new Set(fixture.organizations.slice(0, COMING_AND_GOING));
  let model = reference.emptyMirror();
  const count = (what: string): void => void (tally[what] = (tally[what] ?? 0) + 1);

  const findMenu = (at: number): ErpMenu => {
    const menu = erp[at];
    if (menu === undefined) throw new Error(`there is no menu ${at}`);
    return menu;
  };
  const contentNow = (menu: ErpMenu): ErpContent => buildContent(menu.draw, fixture.organizations);
  async function put(menu: ErpMenu, bump: boolean): Promise<void> {
    const body = {
      menuId: menu.id,
      organizationIds: fixture.organizations,
      bump,
      ...contentNow(menu),
    };
    menu.revision = (await fixture.control<{ revision: number }>('put-menu', body)).revision;
  }
  async function importLists(): Promise<void> {
    await fixture.importLists();
    // The product decides which of two menus that were listed together is older.
    const existing = await selectRows(
      fixture.db,
      'mirror_external_menu',
      ['erpId'],
      {},
      { orderBy: 'id' },
    );
    const listed = erp.filter(({ isListed }) => isListed).map(({ id }) => id);
    reference.importMenuList(
      model,
      existing.map(({ erpId }) => erpId).filter((id) => listed.includes(id)),
    );
  }
  async function importOrganizations(): Promise<void> {
    await fixture.importOrganizations();
    reference.importOrganizations(model, [...present]);
  }
  const compare = async (): Promise<void> =>
    expect(await readMirror(fixture.db)).toEqual(listLines(model));

  function expected(
    on: ReferenceMirror,
    menu: ErpMenu,
    mode: Mode,
    isContent: boolean,
  ): ReferenceRun {
    const asked = reference.requestedOrganizations(on, menu.id).filter((id) => present.has(id));
    const hasCategory = on.menus.get(menu.id)?.settings.priceCategoryId != null;
    const answer = answerFor(
      contentNow(menu),
      asked,
      hasCategory ? fixture.priceCategory.factor : 1,
    );
    return reference.importMenu(on, menu.id, mode, { revision: menu.revision, answer, isContent });
  }

  async function prepare(
    menu: ErpMenu,
    mode: Mode,
    accident: Accident | null = null,
  ): Promise<Prepared> {
    const need = reference.decideNeed(model, menu.id, mode, menu.revision);
    const prepared = await fixture.prepare(menu.id, mode, accident);
    const isContent = prepared.outcome === 'SKIP' && prepared.reason === 'UNCHANGED';
    if (need !== 'EITHER' && (isContent || prepared.outcome !== 'SKIP'))
      expect(isContent ? 'SKIP' : 'ASK').toBe(need);
    return prepared;
  }

  async function finish(prepared: Prepared, run: ReferenceRun): Promise<void> {
    const ended = await fixture.end(prepared, run.status, run.reason);
    expect({ status: ended.status, reason: ended.reason }).toEqual({
      status: run.status,
      reason: run.reason,
    });
    if (run.items !== undefined) expect(ended.items).toMatchObject(run.items);
    if (run.prices !== undefined) expect(ended.prices).toEqual(run.prices);
    count(run.reason ?? run.status);
  }

  async function applied(prepared: Ready, step: ImportStep | null): Promise<void> {
    const { menu, mode } = step ?? {
      menu: MENU_IDS.indexOf(prepared.plan.externalMenuErpId as never),
      mode: prepared.input.mode,
    };
    const after = structuredClone(model);
    const run = expected(after, findMenu(menu), mode, false);
    const outcome = run.status === 'SUCCESS' ? 'APPLIED' : run.reason;
    const calls = step?.isDoubled === true ? 2 : 1;
    const work = () => Promise.all(Array.from({ length: calls }, () => fixture.apply(prepared)));
    const found = step?.isWatched === true ? await watched(fixture, work, count) : await work();
    expect(found.map((entry) => entry?.outcome)).toEqual(found.map(() => outcome));
    model = after;
    await finish(prepared, run);
  }

  /** After an accident, a retry converges and an abandoned step has no late effect. */
  async function runImport(step: ImportStep): Promise<void> {
    const { accident, isRetried, mode } = step;
    const menu = findMenu(step.menu);
    let prepared = await prepare(menu, mode, accident);
    if (prepared.outcome === 'SKIP') {
      const run = expected(model, menu, mode, prepared.reason === 'UNCHANGED');
      expect({ status: 'SKIPPED', reason: prepared.reason }).toEqual({
        status: run.status,
        reason: run.reason,
      });
      return finish(prepared, run);
    }
    if (accident !== null)
      count(`accident ${accident}${isRetried ? ', tried again' : ', given up'}`);
    if (prepared.outcome === 'LOST') {
      if (!isRetried) return giveUp(prepared);
      prepared = await fixture.prepareAgain(prepared);
    }
    if (prepared.outcome !== 'READY') throw new Error(`a fetch ended as ${prepared.outcome}`);
    if (
      accident === 'staging-lost' &&
      prepared.input.batches.some(({ rows }) => rows.stage_item > 0)
    ) {
      await fixture.loseStaging();
      expect(await fixture.apply(prepared)).toEqual({ outcome: 'STAGING_INCOMPLETE' });
      if (!isRetried) return giveUp(prepared);
      prepared = await fixture.prepareAgain(prepared);
      if (prepared.outcome !== 'READY') throw new Error(`a fetch ended as ${prepared.outcome}`);
    }
    if (accident === 'menu-staged' || accident === 'menu-apply' || accident === 'menu-committed') {
      const before = await readMirror(fixture.db);
      const struck = await fixture.apply(prepared, accident);
      if (accident !== 'menu-committed') {
        expect(await readMirror(fixture.db)).toEqual(before);
        if (!isRetried) return giveUp(prepared);
      } else if (!isRetried) {
        // A commit without an answer: another process closes the run, and the late step finds its
        // own result.
        const run = expected(model, menu, mode, false);
        const isApplied = run.status === 'SUCCESS';
        await fixture.end(prepared, 'FAILED', isApplied ? 'ABANDONED' : run.reason);
        expect((await fixture.apply(prepared))?.outcome).toBe(isApplied ? 'APPLIED' : 'RUN_CLOSED');
        return;
      }
      if (struck !== undefined) expect(struck.outcome).toBe('SUSPICIOUS_SHRINK');
    }
    await applied(prepared, step);
  }

  async function giveUp(prepared: Exclude<Prepared, { outcome: 'SKIP' }>): Promise<void> {
    await fixture.end(prepared, 'FAILED', 'ABANDONED');
    if (prepared.outcome === 'READY')
      expect(await fixture.apply(prepared)).toEqual({ outcome: 'RUN_CLOSED' });
  }

  /**
   * Applies two menus that share dishes concurrently. The result must equal one of the two
   * sequences.
   */
  async function runBoth(modes: readonly [Mode, Mode]): Promise<void> {
    const prepared = [await prepare(findMenu(0), modes[0]), await prepare(findMenu(1), modes[1])];
    const orders = [
      [0, 1],
      [1, 0],
    ].map((order) => {
      const on = structuredClone(model);
      const runs: ReferenceRun[] = [];
      for (const at of order) {
        const entry = prepared[at]!;
        const isContent = entry.outcome === 'SKIP' && entry.reason === 'UNCHANGED';
        runs[at] = expected(on, findMenu(at), modes[at]!, isContent);
      }
      return { on, runs };
    });
    await Promise.all(
      prepared.map(async (entry) => entry.outcome === 'READY' && fixture.apply(entry)),
    );
    const lines = JSON.stringify(await readMirror(fixture.db));
    const order = orders.find(
      ({ on }) =>
        JSON.stringify(listLines(on).map(withoutDue)) ===
        JSON.stringify(JSON.parse(lines).map(withoutDue)),
    );
    count('both at once');
    if (order === undefined) {
      model = orders[0]!.on;
      return compare();
    }
    model = order.on;
    reference.forgetCircumstances(model);
    for (const [at, each] of prepared.entries()) {
      const run = order.runs[at]!;
      await fixture.end(each, run.status, run.reason);
      count(run.reason ?? run.status);
    }
  }

  const actions: {
    [Kind in Step['kind']]: (step: Extract<Step, { kind: Kind }>) => Promise<void>;
  } = {
    async put({ menu, content, bump }) {
      findMenu(menu).draw = content;
      await put(findMenu(menu), bump);
    },
    async dish({ menu, at, draw, bump }) {
      const target = findMenu(menu);
      target.draw = { ...target.draw, dishes: target.draw.dishes.with(at, draw) };
      await put(target, bump);
    },
    async modifier({ menu, at, draw, bump }) {
      const target = findMenu(menu);
      target.draw = { ...target.draw, modifiers: target.draw.modifiers.with(at, draw) };
      await put(target, bump);
    },
    async bump({ menu }) {
      findMenu(menu).revision = (
        await fixture.control<{ revision: number }>('bump-revision', { menuId: findMenu(menu).id })
      ).revision;
    },
    async organization({ at, isPresent, isImported }) {
      const organizationId = fixture.organizations[at]!;
      await fixture.control(isPresent ? 'restore-organization' : 'remove-organization', {
        organizationId,
      });
      if (isPresent) present.add(organizationId);
      else present.delete(organizationId);
      if (isImported) await importOrganizations();
    },
    async 'every-organization'() {
      for (const organizationId of fixture.organizations) {
        await fixture.control('restore-organization', { organizationId });
        present.add(organizationId);
      }
      await importOrganizations();
    },
    async list({ menu, isListed }) {
      findMenu(menu).isListed = isListed;
      await fixture.control('list-menu', { menuId: findMenu(menu).id, on: isListed });
      await importLists();
    },
    async setting({ menu, change }) {
      const { organizations, hasPriceCategory, ...plain } = change;
      const known = (organizations ?? [])
        .map((at) => fixture.organizations[at]!)
        .filter((id) => model.organizations.has(id));
      const wanted: Partial<reference.MenuSettings> = {
        ...plain,
        ...(organizations === undefined || (organizations !== null && known.length === 0)
          ? {}
          : { organizationIds: organizations === null ? null : known.toSorted() }),
        ...(hasPriceCategory === undefined
          ? {}
          : { priceCategoryId: hasPriceCategory ? fixture.priceCategory.id : null }),
      };
      await fixture.change(findMenu(menu).id, wanted);
      reference.changeSettings(model.menus.get(findMenu(menu).id)!, wanted);
    },
    async 'full-due'({ menu }) {
      await fixture.markFullDue(findMenu(menu).id);
      model.menus.get(findMenu(menu).id)!.isFullDue = true;
    },
    import: runImport,
    'import-both': ({ modes }) => runBoth(modes),
  };

  await fixture.clear();
  for (const [at, organizationId] of fixture.organizations.entries())
    await fixture.control(at < COMING_AND_GOING ? 'restore-organization' : 'remove-organization', {
      organizationId,
    });
  for (const [at, draw] of first.entries()) {
    erp.push({ id: MENU_IDS[at]!, draw, revision: 0, isListed: true });
    await put(findMenu(at), true);
    await fixture.control('list-menu', { menuId: findMenu(at).id });
  }
  await importOrganizations();
  await importLists();
  await runBoth(['INCREMENTAL', 'FULL']);
  await publishEverything(fixture);
  for (const step of steps) {
    await actions[step.kind](step as never);
    await compare();
    count('steps');
  }
  // The next run of each menu applies all changes by staff, even if the ERP's revision is
  // unchanged.
  for (const menu of [0, 1]) {
    const calm = { accident: null, isRetried: true, isDoubled: false, isWatched: false };
    await runImport({ kind: 'import', menu, mode: 'INCREMENTAL', ...calm });
  }
  await compare();
  if (!MENU_IDS.some((id) => reference.requestedOrganizations(model, id).length === 0))
    expect(reference.unsettled(model)).toEqual([]);
  count('sequences');
}

const withoutDue = (line: string): string => line.replace(/ due (true|false)$/, '');

/**
 * Publishes every size as a separate product, so that public menus show the changes of an import.
 */
async function publishEverything({ db }: MirrorModel): Promise<void> {
  await db.query(
    `with place as (insert into catalog_category (slug, name) values ('all', 'Всё') returning id),
          picture as (insert into media (sha256, original_name, mime, width, height, bytes, renditions)
            values ('x', 'x.jpg', 'image/jpeg', 800, 800, 1, $1) returning id),
          made as (insert into catalog_product (slug, name, status, main_image_id)
            select 'size-' || size.id, item.name, 'PUBLISHED', picture.id
              from mirror_item_size size join mirror_item item on item.id = size.item_id and item.role = 'DISH', picture
            returning id, slug),
          placed as (insert into catalog_product_category (product_id, category_id, is_primary)
            select made.id, place.id, true from made, place)
     insert into catalog_variant (product_id, item_size_id, is_default) select id, substr(slug, 6)::bigint, true from made`,
    [
      JSON.stringify([
        {
          name: 'card',
          density: 1,
          format: 'webp',
          width: 400,
          height: 400,
          bytes: 1,
          url: '/media/x/card.webp',
        },
        {
          name: 'full',
          density: 1,
          format: 'webp',
          width: 800,
          height: 800,
          bytes: 1,
          url: '/media/x/full.webp',
        },
      ]),
    ],
  );
}

/** Builds the public menu repeatedly during `work`. It must equal the menu before or after. */
export async function watched<T>(
  { db }: Pick<MirrorModel, 'db'>,
  work: () => Promise<T>,
  count: (what: string) => void,
): Promise<T> {
  const [organization] = await selectRows(
    db,
    'mirror_organization',
    ['id'],
    { inactiveAt: null },
    { orderBy: 'id', limit: 1 },
  );
  if (organization === undefined) return work();
  const build = async (): Promise<string> => {
    const prepared = await prepareSnapshot(db, organization.id, new Date(0));
    return prepared?.kind === 'READY' ? prepared.contentHash : 'none';
  };
  const before = await build();
  const seen: string[] = [];
  let isOver = false;
  const end = work().finally(() => (isOver = true));
  while (!isOver) {
    seen.push(await build());
    count('public menus built meanwhile');
  }
  const result = await end;
  const after = await build();
  expect(seen.filter((text) => text !== before && text !== after)).toEqual([]);
  return result;
}
