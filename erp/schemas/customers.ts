import { Type } from 'typebox';
import { createCheck, checkThen, Uuid, maybe } from './check.ts';
import { checkRows } from './read-rows.ts';

const Category = Type.Object({ id: Uuid, name: maybe(Type.String()), isActive: Type.Boolean() });

/** Inactive categories may still be assigned. */
export type ErpCustomerCategory = { id: string; name: string | null; isActive: boolean };

const toCategory = ({
  id,
  name,
  isActive,
}: {
  id: string;
  name?: string | null;
  isActive: boolean;
}) => ({
  id: id.toLowerCase(),
  name: name ?? null,
  isActive,
});

/**
 * Comment and categories are required: without them, the answer does not show the client's gifts.
 */
const Customer = Type.Object({
  id: Uuid,
  phone: maybe(Type.String()),
  comment: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  categories: Type.Array(Category),
  isDeleted: maybe(Type.Boolean()),
  anonymized: maybe(Type.Boolean()),
});

export type ErpCustomer = {
  id: string;
  /** Formatted as in the ERP, usually with a plus. */
  phone: string | null;
  /** Unchanged, because it may be written back. */
  comment: string | null;
  categories: ErpCustomerCategory[];
  /** Deleted or anonymized: missing values were not removed by people. */
  isGone: boolean;
};

export const checkCustomer = checkThen(
  createCheck(Customer),
  ({ id, phone, comment, categories, isDeleted, anonymized }): ErpCustomer => ({
    id: id.toLowerCase(),
    phone: phone ?? null,
    comment,
    categories: categories.map(toCategory),
    isGone: isDeleted === true || anonymized === true,
  }),
);

export const checkWritten = checkThen(createCheck(Type.Object({ id: Uuid })), ({ id }) =>
  id.toLowerCase(),
);

export const checkCategories = checkThen(
  checkRows(Type.Object({ guestCategories: Type.Array(Category) })),
  ({ guestCategories }): ErpCustomerCategory[] => guestCategories.map(toCategory),
);
