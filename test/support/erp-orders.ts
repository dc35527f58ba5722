import { randomUUID } from 'node:crypto';
import { erpOrderBody, type OrderToSend } from '../../modules/ordering/rules/erp-order.ts';
import type { ErpOrderBody } from '../../erp/schemas/order-body.ts';
import type { ErpOrderContent } from '../../erp/schemas/deliveries.ts';
import type { Emulator } from '../../packages/erp-emulator/server.ts';

type Size = {
  productId: string;
  sizeId: string | null;
  price: number | null;
  hidden: boolean;
  stopped: boolean;
  compound: boolean;
};
type Chain = {
  organizations: { id: string; terminalGroups: { id: string; asleep: boolean }[] }[];
  dictionaries: {
    paymentTypes: { id: string | null; code: string }[];
    discounts: { id: string; name: string }[];
  };
};

export const PLAIN_ORDER = {
  items: [],
  isPickup: false,
  isAsap: true,
  completeBefore: null,
  persons: null,
  paymentKind: null,
} satisfies Partial<ErpOrderContent>;

/** A guest whose personal data must not leak. */
export const CANARY = {
  name: 'Канарейка Кенарева',
  phone: '+79995550142',
  street: 'Канареечная улица',
  house: '17Ж',
  comment: 'Осторожно, кенарь не спит',
};

/** Returns the canary's data in a text, including inflected forms. */
export function canaryIn(text: string): string[] {
  const words = [...Object.values(CANARY), 'Кенарев', 'Канарее', 'кенарь', '9995550142'];
  return words.filter(
    (word) => text.includes(word) || text.includes(JSON.stringify(word).slice(1, -1)),
  );
}

export async function aPlaceToOrder(emulator: Emulator) {
  const { organizations, dictionaries } = await emulator.control<Chain>('state');
  const [organization] = organizations;
  const organizationId = organization!.id;
  const { sizes } = await emulator.control<{ sizes: Size[] }>(
    `truth?menuId=9001&organizationId=${organizationId}`,
  );
  const orderable = sizes.filter(
    ({ price, hidden, stopped }) => price !== null && price > 0 && !hidden && !stopped,
  );
  const sold = orderable.filter(({ compound }) => !compound);
  return {
    organizationId,
    terminalGroupId: organization!.terminalGroups.find(({ asleep }) => !asleep)!.id,
    otherTerminalGroupId: organizations[1]!.terminalGroups.find(({ asleep }) => !asleep)!.id,
    otherOrganizationId: organizations[1]!.id,
    cashTypeId: dictionaries.paymentTypes.find(({ code }) => code === 'CASH')!.id!,
    discountTypeId: dictionaries.discounts[0]!.id,
    sold,
    compound: orderable.find(({ compound }) => compound)!,
    gift: sizes.find(({ price, stopped }) => price === 0 && !stopped)!,
  };
}

export function anOrder(
  at: Awaited<ReturnType<typeof aPlaceToOrder>>,
  fields: Partial<OrderToSend> = {},
): ErpOrderBody {
  const [dish] = at.sold;
  const price = Math.round(dish!.price! * 100);
  return erpOrderBody({
    orderId: randomUUID(),
    number: 'A-17',
    organizationErpId: at.organizationId,
    terminalGroupErpId: at.terminalGroupId,
    externalMenuId: '9001',
    priceCategoryErpId: null,
    fulfillment: 'DELIVERY',
    orderTypeErpId: null,
    completeBefore: null,
    customer: { name: CANARY.name, phone: CANARY.phone },
    addressFormat: 'LEGACY',
    address: {
      city: 'Калининград',
      street: CANARY.street,
      streetErpId: null,
      house: CANARY.house,
      building: null,
      flat: '12',
      entrance: null,
      floor: null,
      doorphone: null,
      comment: CANARY.comment,
      coords: null,
    },
    comment: CANARY.comment,
    leaveAtDoor: false,
    changeFrom: null,
    persons: null,
    personsAs: 'COMMENT',
    deliveryFee: 0,
    deliveryFeeItem: null,
    lines: [
      {
        erpId: dish!.productId,
        sizeErpId: dish!.sizeId,
        quantity: 2,
        price,
        comment: null,
        modifiers: [],
      },
    ],
    discounts: [],
    payment: { typeErpId: at.cashTypeId, kind: 'Cash', amount: 2 * price },
    ...fields,
  });
}
