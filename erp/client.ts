import {
  createCaller,
  type Call,
  type CallOptions,
  type ErpClientOptions,
  type Endpoint,
} from './call.ts';
import { addressCalls, type AddressCalls } from './endpoints/addresses.ts';
import { commandCalls, type CommandCalls } from './endpoints/commands.ts';
import { customerCalls, type CustomerCalls } from './endpoints/customers.ts';
import { deliveryAllowedCalls, type DeliveryAllowedCalls } from './endpoints/delivery-allowed.ts';
import { deliveryCreateCalls, type DeliveryCreateCalls } from './endpoints/deliveries-create.ts';
import { deliveryReadCalls, type DeliveryReadCalls } from './endpoints/deliveries-read.ts';
import { dictionaryCalls, type DictionaryCalls } from './endpoints/dictionaries.ts';
import {
  deliveryRestrictionCalls,
  type DeliveryRestrictionCalls,
} from './endpoints/delivery-restrictions.ts';
import { menuCalls, type MenuCalls } from './endpoints/menus.ts';
import { organizationCalls, type OrganizationCalls } from './endpoints/organizations.ts';
import { stopListCalls, type StopListCalls } from './endpoints/stop-lists.ts';
import { terminalAliveCalls, type TerminalAliveCalls } from './endpoints/terminal-alive.ts';
import { terminalGroupCalls, type TerminalGroupCalls } from './endpoints/terminal-groups.ts';
import { Type } from 'typebox';
import { createCheck } from './schemas/check.ts';

/** A header can contain only visible ASCII. */
const accessToken: Endpoint<{ token: string }> = {
  path: '/api/v2/access_token',
  priority: 'ORDERS',
  check: createCheck(Type.Object({ token: Type.String({ pattern: '^[\\x21-\\x7e]+$' }) })),
};

/**
 * Calls can be repeated, except `createDelivery` (idempotent by order id) and changes of clients,
 * before which the card must be read again. The client itself repeats a call only after a 401.
 */
export type ErpClient = OrganizationCalls &
  TerminalGroupCalls &
  MenuCalls &
  StopListCalls &
  DeliveryRestrictionCalls &
  DeliveryAllowedCalls &
  AddressCalls &
  CommandCalls &
  CustomerCalls &
  DictionaryCalls &
  TerminalAliveCalls &
  DeliveryCreateCalls &
  DeliveryReadCalls & {
    /** Renews a token that expires soon. */
    refreshToken(connectionId: number, options?: CallOptions): Promise<void>;
  };

/** Tokens are renewed this long before they expire. Must exceed the interval of the schedule. */
const RENEW_AHEAD_MS = 10 * 60_000;

/**
 * Creates the client, which connects at the first call. Further endpoint groups build on `call`
 * (ERP-11).
 */
export function createErpClient(
  options: ErpClientOptions,
): ErpClient & { call: Call; close(): Promise<void> } {
  const caller = createCaller(options, accessToken);
  return {
    ...organizationCalls(caller.call),
    ...terminalGroupCalls(caller.call),
    ...menuCalls(caller.call),
    ...stopListCalls(caller.call),
    ...deliveryRestrictionCalls(caller.call),
    ...deliveryAllowedCalls(caller.call),
    ...addressCalls(caller.call),
    ...commandCalls(caller.call),
    ...customerCalls(caller.call),
    ...dictionaryCalls(caller.call),
    ...terminalAliveCalls(caller.call),
    ...deliveryCreateCalls(caller.call),
    ...deliveryReadCalls(caller.call),
    refreshToken: async (connectionId, callOptions) => {
      await caller.token(connectionId, { ...callOptions, minimumLifeMs: RENEW_AHEAD_MS });
    },
    call: caller.call,
    close: () => caller.close(),
  };
}
