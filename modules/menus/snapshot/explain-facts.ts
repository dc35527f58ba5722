import type { ExplanationFact, SnapshotStatus } from '../schemas/snapshot.ts';
import type { CarteSettings } from '../../settings/schemas/settings.ts';
import { LEAST_BALANCE } from '../../mirror/rules/values.ts';
import { offerHours } from '../rules/offers/hours.ts';
import type { ProductVerdict, VariantVerdict } from '../rules/snapshot/explain.ts';
import type {
  MenuRow,
  OrganizationRow,
  ProductRow,
  StopListRow,
  VariantRow,
} from './explain-rows.ts';

type Given = Partial<Omit<ExplanationFact, 'code' | 'source'>>;

const fact = (code: string, source: string, details: Given = {}): ExplanationFact => ({
  code,
  holds: null,
  value: null,
  price: null,
  at: null,
  source,
  sourceId: null,
  ...details,
});

export const DECIDING_SETTINGS = [
  'stoplist_behaviour',
  'stoplist_terminals',
  'binding.missing_grace',
] as const;

export type DecidingSettings = Pick<CarteSettings, (typeof DECIDING_SETTINGS)[number]>;

/** Facts of a product in an organization. */
export function productFacts(
  product: ProductRow,
  organization: OrganizationRow,
  { checks }: Pick<ProductVerdict, 'checks'>,
  snapshot: Pick<SnapshotStatus, 'pin'>,
  settings: DecidingSettings,
): ExplanationFact[] {
  const { pin } = snapshot;
  return [
    fact('ORGANIZATION_ACTIVE', 'organization', {
      holds: checks.ORGANIZATION_ACTIVE,
      value: organization.name,
      at: organization.inactiveAt ?? organization.synchronizedAt,
      sourceId: organization.erpId,
    }),
    fact('CONNECTION', 'connection', {
      value: organization.connectionStatus,
      at: organization.connectionUpdatedAt,
      sourceId: organization.connectionId,
    }),
    ...(pin === null
      ? []
      : [
          fact('IN_PINNED_REVISION', 'snapshot_pin', {
            holds: checks.IN_PINNED_REVISION,
            value: pin.revision,
            at: pin.pinnedAt,
            sourceId: pin.id,
          }),
        ]),
    fact('PUBLISHED', 'product', {
      holds: checks.PUBLISHED,
      value: product.status,
      at: product.status === 'PUBLISHED' ? product.publishedAt : product.updatedAt,
      sourceId: product.id,
    }),
    ...(product.statusReason === null
      ? []
      : [fact('STATUS_REASON', 'product', { value: product.statusReason, at: product.updatedAt })]),
    fact('VISIBLE_HERE', product.isVisibleHere === null ? 'product' : 'product_visibility', {
      holds: checks.VISIBLE_HERE,
      value: product.isVisibleHere ?? product.isVisible,
      sourceId: product.id,
    }),
    fact('PLACED', 'product', { holds: checks.PLACED, value: product.placements.length }),
    ...product.placements.map(({ id, name, isArchived }) =>
      fact(isArchived ? 'ARCHIVED_CATEGORY' : 'CATEGORY', 'category', {
        value: name,
        sourceId: id,
      }),
    ),
    fact('HAS_MAIN_IMAGE', 'media', {
      holds: checks.HAS_MAIN_IMAGE,
      sourceId: product.mainImageId,
    }),
    fact('SOLD_HERE', 'snapshot', { holds: checks.SOLD_HERE, value: checks.SOLD_HERE }),
    ...DECIDING_SETTINGS.map((key) =>
      fact('SETTING', 'setting', {
        value: typeof settings[key] === 'string' ? settings[key] : JSON.stringify(settings[key]),
        sourceId: key,
      }),
    ),
    fact('STOP_LIST_SYNCHRONIZED', 'stop_list', { at: organization.stopsSynchronizedAt }),
    ...(organization.stopsDirtyAt === null
      ? []
      : [fact('STOP_LIST_CHANGED_SINCE', 'stop_list', { at: organization.stopsDirtyAt })]),
  ];
}

/** Facts of a variant, from its binding to its stops. */
export function variantFacts(
  verdict: VariantVerdict,
  row: VariantRow | undefined,
  menus: readonly MenuRow[],
  stops: readonly StopListRow[],
): ExplanationFact[] {
  const { checks, offer } = verdict;
  return [
    ...(checks.IN_CONTENT === null
      ? []
      : [fact('IN_CONTENT', 'variant', { holds: checks.IN_CONTENT, sourceId: verdict.id })]),
    ...(row === undefined
      ? [fact('VARIANT_REMOVED', 'variant', { sourceId: verdict.id })]
      : bindingFacts(row)),
    ...menus.flatMap((menu) => menuFacts(menu, offer?.externalMenuId === menu.id)),
    fact('PRICED', 'price', { holds: checks.PRICED, value: checks.PRICED }),
    fact('SHOWN_BY_ERP', 'external_menu', {
      holds: checks.SHOWN_BY_ERP,
      value: checks.SHOWN_BY_ERP,
    }),
    fact('LIVE', 'external_menu', {
      holds: checks.LIVE,
      price: offer?.priceKopecks ?? null,
      sourceId: offer?.externalMenuId ?? null,
    }),
    ...stops.map((stop) =>
      fact(stop.balance >= LEAST_BALANCE ? 'LIMITED' : 'STOPPED', 'stop_list', {
        value: stop.balance,
        at: stop.addedAt,
        sourceId: stop.terminalName ?? (stop.terminalGroupId || null),
      }),
    ),
    fact('NOT_STOPPED', 'stop_list', { holds: checks.NOT_STOPPED, value: checks.NOT_STOPPED }),
    fact('IN_HOURS', 'external_menu', {
      holds: checks.IN_HOURS,
      value: hoursText(offer),
      sourceId: offer?.externalMenuId ?? null,
    }),
    fact('MODIFIERS_LEFT', 'modifier_group', {
      holds: checks.MODIFIERS_LEFT,
      value: checks.MODIFIERS_LEFT,
    }),
    ...verdict.requiredGroups.map((group) => {
      const available = group.modifiers.filter((modifier) => modifier.available).length;
      return fact(available === 0 ? 'REQUIRED_GROUP_EMPTY' : 'REQUIRED_GROUP', 'modifier_group', {
        value: available,
        sourceId: group.name,
      });
    }),
  ];
}

/** Example: `1,2 08:00-11:00`. */
function hoursText(offer: VariantVerdict['offer']): string | null {
  const hours = offer === null ? null : offerHours(offer);
  return hours?.map(({ days, from, to }) => `${days.join(',')} ${from}-${to}`).join('; ') ?? null;
}

function bindingFacts(row: VariantRow): ExplanationFact[] {
  return [
    fact('BINDING', 'variant', {
      value: row.bindingState,
      at: row.missingSince ?? row.lastSeenAt,
      sourceId: row.id,
    }),
    row.itemDeletedAt === null
      ? fact('ITEM', 'item', {
          value: row.itemName,
          at: row.itemSynchronizedAt,
          sourceId: row.itemErpId,
        })
      : fact('ITEM_DELETED', 'item', {
          value: row.itemName,
          at: row.itemDeletedAt,
          sourceId: row.itemErpId,
        }),
    fact('ITEM_LAST_SEEN', 'variant', {
      at: row.lastSeenAt,
      sourceId: row.itemSizeId,
      value: row.sizeName,
    }),
  ];
}

function menuCode(menu: MenuRow, decides: boolean): string {
  if (!menu.isEnabled) return 'MENU_DISABLED';
  if (!menu.isForOrganization) return 'MENU_OF_OTHER_ORGANIZATIONS';
  if (menu.withdrawnAt !== null) return 'MENU_WITHDRAWN';
  if (!menu.listsItem || !menu.listsSize) return 'MENU_LISTS_IT_NO_MORE';
  return decides ? 'MENU_DECIDES' : 'MENU_OUTRANKED';
}

function menuFacts(menu: MenuRow, decides: boolean): ExplanationFact[] {
  const { id: sourceId } = menu;
  return [
    fact(menuCode(menu, decides), 'external_menu', {
      value: menu.name,
      at: menu.withdrawnAt ?? menu.inactiveAt ?? menu.importedAt,
      sourceId,
    }),
    fact('MENU_PRIORITY', 'external_menu', { value: menu.priority, sourceId }),
    fact('PRICE_CATEGORY', 'price_category', {
      value: menu.priceCategoryName,
      sourceId: menu.priceCategoryId,
    }),
    ...(menu.priceKopecks === null
      ? [fact('NO_PRICE', 'price', { sourceId })]
      : [
          fact(menu.priceLostAt === null ? 'PRICE' : 'PRICE_LOST', 'price', {
            price: menu.priceKopecks,
            at: menu.priceLostAt ?? menu.priceChangedAt,
            sourceId,
          }),
        ]),
    ...(menu.runId === null
      ? []
      : [fact('PRICE_RUN', 'sync_run', { at: menu.runFinishedAt, sourceId: menu.runId })]),
  ];
}
