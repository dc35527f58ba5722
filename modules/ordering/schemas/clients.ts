import { Type, type Static } from 'typebox';
import {
  Id,
  Named,
  Nullable,
  NullableText,
  Timestamp,
  Uuid,
} from '../../../kernel/pure/schemas.ts';
import { ClientAccount } from '../../gifts/schemas/clients.ts';
import { Compensation } from '../../gifts/schemas/gifts.ts';
import { CompensationConflict } from '../../gifts/schemas/staff-decisions.ts';
import { StaffListedOrder } from './orders.ts';

const ClientCart = Named(
  'ClientCart',
  Type.Object({
    cartId: Uuid,
    customerId: Type.String(),
    organizationId: Id,
    organizationName: Type.String(),
    updatedAt: Timestamp,
    lines: Type.Array(
      Named(
        'ClientCartLine',
        Type.Object({ name: Type.String(), variantName: NullableText, quantity: Type.Integer() }),
      ),
    ),
  }),
);

const total = (what: string) =>
  Type.Integer({ description: `Number of ${what}; 1,000 means that or more.` });

export const Client = Named(
  'Client',
  Type.Object({
    phone: Nullable(Type.String({ description: 'Most digits are hidden.' })),
    accounts: Type.Array(ClientAccount, {
      description: 'One for each account of the ERP in which the guest has had gifts.',
    }),
    customerIds: Type.Array(Type.String(), {
      description:
        'Accounts of the storefront whose orders name the phone, the latest order first.',
    }),
    orders: Type.Array(StaffListedOrder, { description: 'The latest 20 orders of both channels.' }),
    orderCount: total('orders'),
    rights: Type.Array(Compensation, { description: 'The latest 20 rights to gifts.' }),
    rightCount: total('rights'),
    conflicts: Type.Array(CompensationConflict, { description: 'The latest 20 conflicts.' }),
    carts: Type.Array(ClientCart, {
      description: 'The current carts of the accounts, the last changed first.',
    }),
  }),
);

export type Client = Static<typeof Client>;
