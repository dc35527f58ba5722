import { createCallLog } from './calls.ts';
import type { CallLog } from './calls.ts';
import { buildDataset } from './data/dataset.ts';
import type { Growth, DatasetSize } from './data/dataset.ts';
import { createDeliveries } from './deliveries.ts';
import type { Deliveries } from './deliveries.ts';
import { orderInfo } from './endpoints/delivery-wire.ts';
import { createFaults } from './faults.ts';
import type { Fault, Faults } from './faults.ts';
import type { Account, Menu, Dataset } from './model.ts';
import { createGuests } from './guests.ts';
import type { Guests } from './guests.ts';
import { createTokens } from './tokens.ts';
import type { Tokens } from './tokens.ts';
import { createWebhooks } from './webhooks.ts';
import type { Webhooks } from './webhooks.ts';

export const ASYNC_MODES = ['success', 'error', 'hang', 'off'] as const;
type AsyncMode = (typeof ASYNC_MODES)[number];

export const ORGANIZATION_SHAPES = [
  'real',
  'root-address',
  'additional-info',
  'null-name',
] as const;

export type OrganizationShape = (typeof ORGANIZATION_SHAPES)[number];

export type Command = { readonly mode: Exclude<AsyncMode, 'off'>; pollsLeft: number };

export type MenuSwitches = {
  unknownOrganization: boolean;
  differingRevisions: boolean;
  /** A revision with empty lists for any request. */
  emptyLists: boolean;
  async: { mode: AsyncMode; polls: number };
};

export type Terminal = { readonly isAlive: boolean; readonly slowMs: number };

export type State = {
  dataset: Dataset;
  readonly size: DatasetSize;
  readonly growth: Growth;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly calls: CallLog;
  readonly webhooks: Webhooks;
  readonly commands: Map<string, Command>;
  readonly switches: Map<string, MenuSwitches>;
  /** Rendered menus. Their keys contain all data that they depend on. */
  readonly answers: Map<string, Buffer>;
  organizationShape: OrganizationShape;
  /** Answers that a test has set, by endpoint and optionally for one organization. */
  readonly dictated: Map<string, { body: object; organizationId?: string }>;
  /** Status of the rejection, by organization. */
  readonly refused: Map<string, number>;
  readonly deliveries: Deliveries;
  readonly guests: Guests;
  readonly terminals: Map<string, Terminal>;
};

/** `fault` is the one planned for this call. */
export type Context = {
  readonly state: State;
  readonly account: Account;
  readonly fault?: Fault | undefined;
};

export function createState(seed: number, size: DatasetSize, growth: Growth = {}): State {
  const webhooks = createWebhooks();
  const dataset = buildDataset(seed, size, growth);
  const state: State = {
    dataset,
    size,
    growth,
    tokens: createTokens(),
    faults: createFaults(),
    calls: createCallLog(),
    webhooks,
    commands: new Map(),
    switches: new Map(),
    answers: new Map(),
    organizationShape: 'real',
    dictated: new Map(),
    refused: new Map(),
    deliveries: createDeliveries((delivery) =>
      webhooks.deliveryChanged(delivery, orderInfo(state.dataset, delivery)),
    ),
    guests: createGuests(dataset.guests),
    terminals: new Map(),
  };

  return state;
}

/**
 * Restores data, orders, faults and switches of the seed. Tokens, call log and webhook URL stay.
 */
export function resetState(state: State, seed: number): void {
  state.dataset = buildDataset(seed, state.size, state.growth);
  state.faults.clear();
  state.commands.clear();
  state.switches.clear();
  state.answers.clear();
  state.organizationShape = 'real';
  state.dictated.clear();
  state.refused.clear();
  state.deliveries.clear();
  state.guests.reset(state.dataset.guests);
  state.terminals.clear();
  state.webhooks.configure({ mode: 'normal' });
}

/** Returns the switches of a menu, which are off by default. */
export function getSwitches(state: State, menu: Menu): MenuSwitches {
  const existing = state.switches.get(menu.id);
  if (existing) return existing;
  const fresh: MenuSwitches = {
    unknownOrganization: false,
    differingRevisions: false,
    emptyLists: false,
    async: { mode: 'off', polls: 0 },
  };

  state.switches.set(menu.id, fresh);

  return fresh;
}

/** Returns a terminal, which by default accepts orders at once. */
export function findTerminal(state: State, id: string): Terminal {
  return state.terminals.get(id) ?? { isAlive: true, slowMs: 0 };
}
