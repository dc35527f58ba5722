import { Type, type Static } from 'typebox';
import { Id, maybe } from './read.ts';

/** An external menu as the account lists it; ids are decimal strings. */
export const ErpExternalMenu = Type.Object({ id: Id, name: Type.String() });
export type ErpExternalMenu = Static<typeof ErpExternalMenu>;

/** A price category; the nil uuid is a legal id. */
export const ErpPriceCategory = Type.Object({ id: Id, name: Type.String() });
export type ErpPriceCategory = Static<typeof ErpPriceCategory>;

/** Both lists may be absent: nothing is bound to the account then. */
export const ExternalMenusAnswer = Type.Object({
  externalMenus: maybe(Type.Array(ErpExternalMenu)),
  priceCategories: maybe(Type.Array(ErpPriceCategory)),
});
