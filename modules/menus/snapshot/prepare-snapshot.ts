import { createHash } from 'node:crypto';
import { MENU_MAX_BYTES, Menu } from '../schemas/menu.ts';
import type { Database } from '../../../platform/db/database.ts';
import { reportProgress } from '../../../platform/progress.ts';
import { assembleMenu, type AssembledMenu } from '../rules/snapshot/assemble.ts';
import { availabilityOf, type StopIndex } from '../rules/snapshot/availability.ts';
import { fitMenu, type LeftOut } from '../rules/snapshot/fit-menu.ts';
import { menuParts, type MenuParts } from '../rules/snapshot/menu-parts.ts';
import { contentText, menuTemplate, menuText, parsePublished, type MenuTemplate } from '../rules/snapshot/payload.ts';
import { pinnedContentOf, type PinnedContent } from '../rules/snapshot/pinned-content.ts';
import { isOpenAt } from '../rules/offers/hours.ts';
import { balanceRule } from '../rules/offers/stops.ts';
import { encode, type Encoded } from './encode.ts';
import type { Pin } from './pin-row.ts';
import { readFacts } from './read-facts.ts';
import { nextRevision } from './snapshot-row.ts';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { ANNOTATIONS } from '../../../kernel/pure/schemas.ts';

/** A menu that is built, checked and compressed, waiting for its publication. */
export type PreparedSnapshot = {
  kind: 'READY';
  organizationId: number;
  organizationErpId: string;
  /**
   * Reasons for a rebuild that the facts contain; a publication with fewer than the last one is
   * stale.
   */
  dirtySeq: number;
  /** The pin the facts were read under; a publication under another one is stale. */
  pin: Pin | undefined;
  timeZone: string | null;
  /** The stored content of this build. */
  storefront: PinnedContent;
  generatedAt: Date;
  template: MenuTemplate;
  index: StopIndex;
  productCount: number;
  /** Texts of product cards that are not in the menu, by product id. */
  cardTexts: AssembledMenu['cardTexts'];
  /** The omitted parts of the menu that keep it within the limit; null when it is complete. */
  leftOut: LeftOut | null;
  /**
   * Digest of everything but revision, time and availability: equal content is not published again.
   */
  contentHash: string;
  /**
   * The bytes for the revision and the stops that were current while building; used if they still
   * are.
   */
  guess: { revision: number; flags: readonly boolean[]; encoded: Encoded };
  omitted: AssembledMenu['omitted'];
};

/**
 * A menu that exceeds the limit without all optional fields (rule SNP-12); it is never published.
 */
export type OversizedSnapshot = {
  kind: 'TOO_LARGE';
  organizationId: number;
  dirtySeq: number;
  pin: Pin | undefined;
  bytes: number;
  /** The parts of the bytes. */
  parts: MenuParts;
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Builds the menu of one organization without writing anything. Null: unknown or inactive
 * organization. Throws when the result breaks the public schema; nothing is published then and the
 * previous menu stays.
 */
export async function prepareSnapshot(
  db: Database,
  organizationId: number,
  now: Date,
): Promise<PreparedSnapshot | OversizedSnapshot | null> {
  reportProgress({ step: 'facts' });
  const facts = await readFacts(db, organizationId);
  if (facts === null) return null;
  reportProgress({ step: 'assembly' });
  const { content: whole, cardTexts, index, omitted } = assembleMenu(facts.menu, sha256);
  const { organizationErpId, dirtySeq, pin, timeZone } = facts;
  // Only a guess that saves compressing under the lock: publication reads the revision again.
  const revision = await nextRevision(db, organizationId);
  const head = { revision, organizationErpId, generatedAt: now };
  const { flags } = availabilityOf(index, balanceRule(facts.menu.stops), isOpenAt(now.getTime(), timeZone));
  const fitted = fitMenu(
    whole,
    (some) => {
      const template = menuTemplate(some);
      const text = menuText(head, template, flags);
      return { template, text, bytes: Buffer.byteLength(text) + sellableNow(flags) };
    },
    MENU_MAX_BYTES,
  );
  const { content, leftOut, template, text, bytes } = fitted;
  if (bytes > MENU_MAX_BYTES)
    return { kind: 'TOO_LARGE', organizationId, dirtySeq, pin, bytes, parts: menuParts(parsePublished(text)) };
  assertPublicMenu(text);
  const sellable = index.shown.map(([, , isSellable]) => isSellable);
  return {
    kind: 'READY',
    organizationId,
    organizationErpId,
    dirtySeq,
    pin,
    timeZone,
    storefront: pinnedContentOf(facts.menu, content),
    generatedAt: now,
    template,
    index,
    productCount: content.products.length,
    cardTexts,
    leftOut,
    contentHash: sha256(organizationErpId + contentText(template, sellable) + textBeside(cardTexts, leftOut)),
    guess: { revision, flags, encoded: await encode(text) },
    omitted,
  };
}

/**
 * Returns the texts of answers other than the menu; empty without such texts, so that these menus
 * keep their digest.
 */
function textBeside(cardTexts: AssembledMenu['cardTexts'], leftOut: LeftOut | null): string {
  const texts = Object.keys(cardTexts).length === 0 ? '' : JSON.stringify(cardTexts);
  return leftOut === null ? texts : texts + JSON.stringify(leftOut);
}

/**
 * Returns the bytes that stops may still add: `false` is one longer than `true`, and a patch must
 * never cross the limit.
 */
function sellableNow(flags: readonly boolean[]): number {
  return flags.filter(Boolean).length;
}

const ajv = new Ajv({ strict: true });
formats.default(ajv);
for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
/** Compiled with the first menu: most processes build none. */
let validate: ValidateFunction | undefined;

/**
 * Throws if a text violates the public schema of menus: the check uses the exact bytes to serve.
 */
function assertPublicMenu(text: string): void {
  validate ??= ajv.compile(Menu);
  if (validate(JSON.parse(text))) return;
  const [first] = validate.errors ?? [];
  throw new Error(`The assembled menu breaks the public schema at ${first?.instancePath}: ${first?.message}`);
}
