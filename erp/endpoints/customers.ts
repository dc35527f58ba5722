import type { Endpoint, EndpointGroup, CallOptions } from '../call.ts';
import { ErpFailure, isErpFailure } from '../failure.ts';
import {
  checkCategories,
  checkCustomer,
  checkWritten,
  type ErpCustomer,
  type ErpCustomerCategory,
} from '../schemas/customers.ts';

const INFO: Endpoint<ErpCustomer> = {
  path: '/api/1/loyalty/erp/customer/info',
  personal: 'ONE_GUEST',
  body: 'EXACT',
  check: checkCustomer,
};

const WRITE: Endpoint<string> = {
  path: '/api/1/loyalty/erp/customer/create_or_update',
  personal: 'ONE_GUEST',
  check: checkWritten,
};

/** The body of a successful answer is meaningless: `{}`, null and empty mean success. */
const assignment = (verb: string): Endpoint<null> => ({
  path: `/api/1/loyalty/erp/customer_category/${verb}`,
  personal: 'ONE_GUEST',
  body: 'MAY_BE_EMPTY',
  check: () => ({ data: null }),
});

const ADD = assignment('add');
const REMOVE = assignment('remove');

const CATEGORIES: Endpoint<ErpCustomerCategory[]> = {
  path: '/api/1/loyalty/erp/customer_category',
  check: checkCategories,
};

/** An ERP id, or a phone like +79990001122. */
export type ErpCustomerKey = { id: string } | { phone: string };

type LoyaltyOff = { outcome: 'LOYALTY_OFF' };

/** The ERP does not distinguish unknown and invalid phones (ERP-19). */
export type ErpCustomerInfo =
  | { outcome: 'FOUND'; customer: ErpCustomer }
  | { outcome: 'NOT_FOUND' }
  | LoyaltyOff;

/**
 * REFUSED: the client or category is unknown, or the change was already made. Read the card to
 * distinguish these.
 */
export type ErpCustomerChange =
  | { outcome: 'DONE' }
  | { outcome: 'REFUSED'; code: string | null }
  | LoyaltyOff;

export type CustomerCalls = {
  customerInfo(
    connectionId: number,
    organizationId: string,
    key: ErpCustomerKey,
    options?: CallOptions,
  ): Promise<ErpCustomerInfo>;
  writeCustomerComment(
    connectionId: number,
    change: { organizationId: string; customerId: string; comment: string },
    options?: CallOptions,
  ): Promise<ErpCustomerChange>;
  addCustomerCategory(
    connectionId: number,
    change: CategoryChange,
    options?: CallOptions,
  ): Promise<ErpCustomerChange>;
  removeCustomerCategory(
    connectionId: number,
    change: CategoryChange,
    options?: CallOptions,
  ): Promise<ErpCustomerChange>;
  customerCategories(
    connectionId: number,
    organizationId: string,
    options?: CallOptions,
  ): Promise<{ outcome: 'FOUND'; categories: ErpCustomerCategory[] } | LoyaltyOff>;
};

export type CategoryChange = { organizationId: string; customerId: string; categoryId: string };

const NOT_FOUND = new Set([
  'Transport_WrongCustomerNumber',
  'Validation_IncorrectPhone',
  'Customer_CustomerNotFound',
]);

const LOYALTY_OFF = new Set(['Transport_WrongCrmId', 'Common_OrganizationNotFound']);

const isRefusal = (error: unknown): error is ErpFailure =>
  isErpFailure(error) && error.kind === 'CLIENT' && error.status === 400;
const isOff = (error: ErpFailure): boolean =>
  error.code !== undefined && LOYALTY_OFF.has(error.code);

/**
 * Cards have no versions, and a failed change may have been made, so read the card before repeating
 * it. A 400 is an outcome; other failures reject with ErpFailure.
 */
export const customerCalls: EndpointGroup<CustomerCalls> = (call) => {
  async function changed(work: () => Promise<unknown>): Promise<ErpCustomerChange> {
    try {
      await work();
      return { outcome: 'DONE' };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return isOff(error)
        ? { outcome: 'LOYALTY_OFF' }
        : { outcome: 'REFUSED', code: error.code ?? null };
    }
  }

  return {
    customerInfo: async (connectionId, organizationId, key, options) => {
      const body = { organizationId, type: 'id' in key ? 'id' : 'phone', ...key };
      try {
        const { data } = await call(connectionId, INFO, body, options);
        return { outcome: 'FOUND', customer: data };
      } catch (error) {
        if (!isRefusal(error) || error.code === undefined) throw error;
        if (isOff(error)) return { outcome: 'LOYALTY_OFF' };
        if (NOT_FOUND.has(error.code)) return { outcome: 'NOT_FOUND' };
        throw error;
      }
    },
    writeCustomerComment: (connectionId, { organizationId, customerId, comment }, options) =>
      changed(async () => {
        // The ERP ignores an empty comment unless empty fields erase. Other empty texts would be
        // erased too, so they are not sent.
        const body = {
          organizationId,
          id: customerId,
          comment,
          nullifyEmptyFields: comment === '',
        };

        const { data: id } = await call(connectionId, WRITE, body, options);
        if (id === customerId.toLowerCase()) return;
        const description = 'the ERP has written another client';

        throw new ErpFailure('INVALID_ANSWER', { endpoint: WRITE.path, status: 200, description });
      }),
    addCustomerCategory: (connectionId, change, options) =>
      changed(() => call(connectionId, ADD, change, options)),
    removeCustomerCategory: (connectionId, change, options) =>
      changed(() => call(connectionId, REMOVE, change, options)),
    customerCategories: async (connectionId, organizationId, options) => {
      try {
        const { data } = await call(connectionId, CATEGORIES, { organizationId }, options);
        return { outcome: 'FOUND', categories: data };
      } catch (error) {
        if (isRefusal(error) && isOff(error)) return { outcome: 'LOYALTY_OFF' };
        throw error;
      }
    },
  };
};
