import { Type } from 'typebox';
import { checkOf, checkThen, Uuid, maybe } from './check.ts';
import { checkRows } from './read-rows.ts';

const Category = Type.Object({ id: Uuid, name: maybe(Type.String()), isActive: Type.Boolean() });

/** Inactive categories may still be assigned. */
export type ErpCustomerCategory = { id: string; name: string | null; isActive: boolean };

const categoryOf = ({
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

/** Comment and categories are required: without them the answer shows nothing about the client. */
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
  /** As the ERP writes it, usually with a plus. */
  phone: string | null;
  /** Unchanged, because it may be written back. */
  comment: string | null;
  categories: ErpCustomerCategory[];
  /** Deleted or anonymized: missing values were not removed by people. */
  isGone: boolean;
};

export const checkCustomer = checkThen(
  checkOf(Customer),
  ({ id, phone, comment, categories, isDeleted, anonymized }): ErpCustomer => ({
    id: id.toLowerCase(),
    phone: phone ?? null,
    comment,
    categories: categories.map(categoryOf),
    isGone: isDeleted === true || anonymized === true,
  }),
);

export const checkWritten = checkThen(checkOf(Type.Object({ id: Uuid })), ({ id }) =>
  id.toLowerCase(),
);

export const checkCategories = checkThen(
  checkRows(Type.Object({ guestCategories: Type.Array(Category) })),
  ({ guestCategories }): ErpCustomerCategory[] => guestCategories.map(categoryOf),
);
