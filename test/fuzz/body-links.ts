/**
 * Links that pass values of an answer into a request body. Schemathesis supports such expressions,
 * but OpenAPI does not, so the published description lacks them.
 */
const PICKUP = { type: 'PICKUP', organizationId: '$response.body#/organizationId', slotId: 'asap' };
const CUSTOMER = { name: 'Anna', phone: '+79990001122' };
const SEEN_CART = {
  cartId: '$response.body#/cartId',
  cartVersion: '$response.body#/version',
  paymentMethod: 'CASH',
};
const ASKED = {
  cartId: '$request.body#/cartId',
  cartVersion: '$response.body#/cartVersion',
  fulfillment: '$request.body#/fulfillment',
  paymentMethod: '$request.body#/paymentMethod',
};
const OF_CART = {
  changeCart: {
    cartId: '$response.body#/cartId',
    version: '$response.body#/version',
    organizationId: '$response.body#/organizationId',
  },
  checkCheckout: { ...SEEN_CART, fulfillment: PICKUP },
  placeOrder: { ...SEEN_CART, fulfillment: PICKUP, customer: CUSTOMER },
  addAddress: { cartId: '$response.body#/cartId' },
};

const BODIES: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  changeCart: OF_CART,
  getCart: OF_CART,
  repeatOrder: OF_CART,
  checkCheckout: {
    placeOrder: { ...ASKED, quoteId: '$response.body#/quote/id', customer: CUSTOMER },
  },
  addAddress: {
    checkCheckout: {
      cartId: '$request.body#/cartId',
      fulfillment: { type: 'DELIVERY', addressId: '$response.body#/addressId', slotId: 'asap' },
      paymentMethod: 'CASH',
    },
  },
};

type Answer = { content?: object; links?: object };
type Document = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Answer> }>>;
};

export function addBodyLinks(document: object): void {
  for (const operations of Object.values((document as Document).paths))
    for (const { operationId, responses } of Object.values(operations)) {
      const bodies = Object.entries(BODIES[operationId] ?? {});
      const links = bodies.map(([target, requestBody]) => [
        `${target}Body`,
        { operationId: target, requestBody },
      ]);
      for (const [status, answer] of Object.entries(responses))
        if (status.startsWith('2') && links.length > 0)
          answer.links = { ...answer.links, ...(Object.fromEntries(links) as object) };
    }
}
