import type { Endpoint, EndpointGroup, CallOptions, ErpAnswer } from '../call.ts';
import { createCheck, checkThen, Id, maybe, type Check } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';
import { ErpMenu, PendingMenu } from '../schemas/menu.ts';
import { unreadItems, type UnreadItem } from '../schemas/unread-items.ts';
import { Type, type Static } from 'typebox';

/** Ids are decimal strings. */
const ErpExternalMenu = Type.Object({ id: Id, name: maybe(Type.String()) });
type ErpExternalMenu = Static<typeof ErpExternalMenu>;

/** The nil UUID is a valid id. */
const ErpPriceCategory = Type.Object({ id: Id, name: maybe(Type.String()) });
type ErpPriceCategory = Static<typeof ErpPriceCategory>;

/** A missing list means that the account has nothing assigned. */
const ExternalMenusAnswer = Type.Object({
  externalMenus: maybe(Type.Array(ErpExternalMenu)),
  priceCategories: maybe(Type.Array(ErpPriceCategory)),
});

const EXTERNAL_MENUS: Endpoint<{
  externalMenus: ErpExternalMenu[];
  priceCategories: ErpPriceCategory[];
}> = {
  path: '/api/2/menu',
  check: checkThen(checkRows(ExternalMenusAnswer), (answer) => ({
    externalMenus: answer.externalMenus ?? [],
    priceCategories: answer.priceCategories ?? [],
  })),
};

const read = checkRows(ErpMenu);

/**
 * Accepts a menu without categories only with the requested `startRevision`. As an empty menu it
 * would end every price (MIR-43).
 */
const menuSince =
  (startRevision: number | undefined): Check<MenuAnswer> =>
  (answer) => {
    const result = read(answer);
    if ('fault' in result) return result;
    const { itemsGroups, revision } = result.data;
    const isUnchanged = startRevision !== undefined && revision === startRevision;
    if (itemsGroups == null && !isUnchanged) return { fault: 'itemsGroups is missing' };
    const unread = unreadItems(answer, result.odd ?? []);

    return { ...result, data: { kind: 'menu', menu: result.data, unread } };
  };

const pending: Check<MenuAnswer> = checkThen(createCheck(PendingMenu), ({ correlationId }) => ({
  kind: 'pending',
  correlationId,
}));

/** An asynchronous answer has a correlationId but no menu. Other answers may have one too. */
function isPending(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  return 'correlationId' in answer && !('id' in answer) && !('itemsGroups' in answer);
}

const menuEndpoint = ({ startRevision }: MenuRequest): Endpoint<MenuAnswer> => ({
  path: '/api/menu/v3/by_id',
  read: 'menu',
  check: (answer) => (isPending(answer) ? pending(answer) : menuSince(startRevision)(answer)),
});

export type MenuRequest = {
  externalMenuId: string;
  organizationIds: string[];
  priceCategoryId?: string;
  startRevision?: number;
  asyncMode: boolean;
};

export type MenuAnswer =
  | { kind: 'menu'; menu: ErpMenu; unread: UnreadItem[] }
  | { kind: 'pending'; correlationId: string };

export type MenuCalls = {
  externalMenus(
    connectionId: number,
    options?: CallOptions,
  ): Promise<ErpAnswer<{ externalMenus: ErpExternalMenu[]; priceCategories: ErpPriceCategory[] }>>;
  menu(
    connectionId: number,
    request: MenuRequest,
    options?: CallOptions,
  ): Promise<ErpAnswer<MenuAnswer>>;
};

/** Reads external menus with price categories, and one menu for up to 10 organizations. */
export const menuCalls: EndpointGroup<MenuCalls> = (call) => ({
  externalMenus: (connectionId, options) => call(connectionId, EXTERNAL_MENUS, {}, options),
  menu: (connectionId, request, options) => {
    const [only, ...others] = request.organizationIds;
    // The plain v3 format names the organization differently. Both ignore extra fields.
    const body = others.length === 0 ? { ...request, organizationId: only } : request;
    return call(connectionId, menuEndpoint(request), body, options);
  },
});
