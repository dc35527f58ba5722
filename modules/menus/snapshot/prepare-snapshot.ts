import { createHash } from 'node:crypto';
import { MENU_MAX_BYTES, Menu } from '../schemas/menu.ts';
import type { Database } from '../../../platform/db/database.ts';
import { reportProgress } from '../../../platform/progress.ts';
import { assembleMenu, type AssembledMenu } from '../rules/snapshot/assemble.ts';
import { evaluateAvailability, type StopIndex } from '../rules/snapshot/availability.ts';
import { fitMenu, type LeftOut } from '../rules/snapshot/fit-menu.ts';
import { menuParts, type MenuParts } from '../rules/snapshot/menu-parts.ts';
import {
  contentText,
  menuTemplate,
  menuText,
  parsePublished,
  type MenuTemplate,
} from '../rules/snapshot/payload.ts';
import { pickPinnedContent, type PinnedContent } from '../rules/snapshot/pinned-content.ts';
import { isOpenAt } from '../rules/offers/hours.ts';
import { balanceRule } from '../rules/offers/stops.ts';
import { encode, type Encoded } from './encode.ts';
import type { Pin } from './pin-row.ts';
import { readFacts } from './read-facts.ts';
import { nextRevision } from './snapshot-row.ts';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { ANNOTATIONS } from '../../../kernel/pure/schemas.ts';

export type PreparedSnapshot = {
  kind: 'READY';
  organizationId: number;
  organizationErpId: string;
  /** Stale if a published build has more. */
  dirtySeq: number;
  /** Stale after another pin. */
  pin: Pin | undefined;
  timeZone: string | null;
  storefront: PinnedContent;
  generatedAt: Date;
  template: MenuTemplate;
  index: StopIndex;
  productCount: number;
  cardTexts: AssembledMenu['cardTexts'];
  /** Null if the menu is complete. */
  leftOut: LeftOut | null;
  /** Equal content does not create a new revision. */
  contentHash: string;
  /** Used if revision and stops are still current. */
  guess: { revision: number; flags: readonly boolean[]; encoded: Encoded };
  omitted: AssembledMenu['omitted'];
};

/** SNP-12. */
export type OversizedSnapshot = {
  kind: 'TOO_LARGE';
  organizationId: number;
  dirtySeq: number;
  pin: Pin | undefined;
  bytes: number;
  parts: MenuParts;
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Builds a menu without writing; null for an unknown or inactive organization. Throws if it
 * violates the public schema.
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
  // An estimate, which avoids compression under the lock.
  const revision = await nextRevision(db, organizationId);
  const head = { revision, organizationErpId, generatedAt: now };
  const { flags } = evaluateAvailability(
    index,
    balanceRule(facts.menu.stops),
    isOpenAt(now.getTime(), timeZone),
  );

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
    return {
      kind: 'TOO_LARGE',
      organizationId,
      dirtySeq,
      pin,
      bytes,
      parts: menuParts(parsePublished(text)),
    };

  assertPublicMenu(text);
  const sellable = index.shown.map(([, , isSellable]) => isSellable);

  return {
    kind: 'READY',
    organizationId,
    organizationErpId,
    dirtySeq,
    pin,
    timeZone,
    storefront: pickPinnedContent(facts.menu, content),
    generatedAt: now,
    template,
    index,
    productCount: content.products.length,
    cardTexts,
    leftOut,
    contentHash: sha256(
      organizationErpId + contentText(template, sellable) + textBeside(cardTexts, leftOut),
    ),
    guess: { revision, flags, encoded: await encode(text) },
    omitted,
  };
}

/** Empty without texts, which keeps the digests of such menus. */
function textBeside(cardTexts: AssembledMenu['cardTexts'], leftOut: LeftOut | null): string {
  const texts = Object.keys(cardTexts).length === 0 ? '' : JSON.stringify(cardTexts);
  return leftOut === null ? texts : texts + JSON.stringify(leftOut);
}

/** `false` is one byte longer, and a patch must not exceed the limit. */
function sellableNow(flags: readonly boolean[]): number {
  return flags.filter(Boolean).length;
}

const ajv = new Ajv({ strict: true });
formats.default(ajv);
for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
/** Compiled on first use, because most processes build no menus. */
let validate: ValidateFunction | undefined;

/** Validates exactly the bytes that are served. */
function assertPublicMenu(text: string): void {
  validate ??= ajv.compile(Menu);
  if (validate(JSON.parse(text))) return;
  const [first] = validate.errors ?? [];

  throw new Error(
    `The assembled menu breaks the public schema at ${first?.instancePath}: ${first?.message}`,
  );
}
