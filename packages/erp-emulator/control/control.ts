import { FAULT_KINDS } from '../faults.ts';
import { ASYNC_MODES, getSwitches, ORGANIZATION_SHAPES, resetState } from '../state.ts';
import type { State } from '../state.ts';
import { WEBHOOK_MODES } from '../webhooks.ts';
import { failure, ok } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import {
  bindMenu,
  bumpRevision,
  requireMenu,
  nullPrices,
  requireOrganization,
  recreateCategory,
  scheduleCategory,
  rename,
  reprice,
  returnItems,
  vanish,
} from './content.ts';
import { editCustomer, loyaltySettings, putCustomer, readCustomers } from './customers.ts';
import {
  deliverySettings,
  editDelivery,
  moveDelivery,
  putDelivery,
  readDeliveries,
  setDeliveryStatus,
  settleDelivery,
  setTerminal,
} from './deliveries.ts';
import { ControlError, readFields } from './fields.ts';
import type { Fields } from './fields.ts';
import { listMenu, putMenu } from './put-menu.ts';
import { readCalls, readState, readStats, readTruth, readWebhooks } from './reads.ts';
import { stop, unstop } from './stops.ts';

type Action = (state: State, fields: Fields) => object;
type Read = (state: State, query: URLSearchParams) => object;

const DONE = { done: true };

const READS: Readonly<Record<string, Read>> = {
  state: readState,
  calls: readCalls,
  truth: readTruth,
  stats: readStats,
  webhooks: readWebhooks,
  deliveries: readDeliveries,
  customers: readCustomers,
};

const ACTIONS: Readonly<Record<string, Action>> = {
  'bump-revision': ({ dataset }, fields) => bumpRevision(dataset, fields),
  vanish: ({ dataset }, fields) => vanish(dataset, fields),
  return: ({ dataset }, fields) => returnItems(dataset, fields),
  rename: ({ dataset }, fields) => rename(dataset, fields),
  reprice: ({ dataset }, fields) => reprice(dataset, fields),
  'null-prices': ({ dataset }, fields) => nullPrices(dataset, fields),
  'recreate-category': ({ dataset }, fields) => recreateCategory(dataset, fields),
  'schedule-category': ({ dataset }, fields) => scheduleCategory(dataset, fields),
  'bind-menu': ({ dataset }, fields) => bindMenu(dataset, fields),
  'put-menu': ({ dataset }, fields) => putMenu(dataset, fields),
  'list-menu': ({ dataset }, fields) => listMenu(dataset, fields),
  stop,
  unstop,
  'delivery-settings': deliverySettings,
  'settle-delivery': settleDelivery,
  'delivery-status': setDeliveryStatus,
  'move-delivery': moveDelivery,
  'put-delivery': putDelivery,
  'edit-delivery': editDelivery,
  terminal: setTerminal,
  'put-customer': putCustomer,
  'edit-customer': editCustomer,
  'loyalty-settings': loyaltySettings,
  fault,
  'clear-faults': (state, fields) => {
    state.faults.clear(fields.optionalText('endpoint'));
    return DONE;
  },
  'revoke-tokens': ({ tokens }) => ({ revoked: tokens.revokeAll() }),
  'token-life': ({ tokens }, fields) => {
    tokens.setLife(fields.number('seconds'));
    return DONE;
  },
  'unknown-organization': (state, fields) => {
    getSwitches(state, requireMenu(state.dataset, fields.text('menuId'))).unknownOrganization =
      fields.flag('on', true);
    return DONE;
  },
  'differing-revisions': (state, fields) => {
    getSwitches(state, requireMenu(state.dataset, fields.text('menuId'))).differingRevisions =
      fields.flag('on', true);
    return DONE;
  },
  'empty-lists': (state, fields) => {
    getSwitches(state, requireMenu(state.dataset, fields.text('menuId'))).emptyLists = fields.flag(
      'on',
      true,
    );

    return DONE;
  },
  'async-menu': (state, fields) => {
    const async = {
      mode: fields.oneOf('mode', ASYNC_MODES),
      polls: fields.optionalNumber('polls') ?? 0,
    };
    getSwitches(state, requireMenu(state.dataset, fields.text('menuId'))).async = async;

    return DONE;
  },
  webhook: ({ webhooks }, fields) => {
    const mode = fields.optionalOneOf('mode', WEBHOOK_MODES);
    const url = fields.optionalText('url');
    const token = fields.optionalText('token');
    webhooks.configure({
      ...(mode === undefined ? {} : { mode }),
      ...(url === undefined ? {} : { url }),
      ...(token === undefined ? {} : { token }),
    });

    return DONE;
  },
  'remove-organization': ({ dataset }, fields) => {
    requireOrganization(dataset, fields.text('organizationId')).removed = true;
    return DONE;
  },
  'restore-organization': ({ dataset }, fields) => {
    requireOrganization(dataset, fields.text('organizationId')).removed = false;
    return DONE;
  },
  'refuse-organization': ({ refused }, fields) => {
    refused.set(fields.text('organizationId'), fields.number('status'));
    return DONE;
  },
  'accept-organizations': ({ refused }) => {
    refused.clear();
    return DONE;
  },
  'organization-shape': (state, fields) => {
    state.organizationShape = fields.oneOf('shape', ORGANIZATION_SHAPES);
    return DONE;
  },
  answer: ({ dictated }, fields) => {
    const body = fields.optionalBody('body');
    const organizationId = fields.optionalText('organizationId');
    if (body === undefined) dictated.delete(fields.text('endpoint'));
    else
      dictated.set(fields.text('endpoint'), {
        body,
        ...(organizationId === undefined ? {} : { organizationId }),
      });

    return DONE;
  },
  reset: (state, fields) => {
    resetState(state, fields.optionalNumber('seed') ?? state.dataset.seed);
    return { seed: state.dataset.seed };
  },
};

function fault(state: State, fields: Fields): object {
  const endpoint = fields.optionalText('endpoint');
  const retryAfter = fields.optionalNumber('retryAfter');
  const delayMs = fields.optionalNumber('delayMs');
  const code = fields.optionalText('code');
  state.faults.add({
    kind: fields.oneOf('kind', FAULT_KINDS),
    times: fields.optionalNumber('times') ?? 1,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(code === undefined ? {} : { code }),
  });

  return { faults: state.faults.list() };
}

/** Returns true for control paths that only read, which use GET. */
export function isControlRead(name: string): boolean {
  return Object.hasOwn(READS, name);
}

/**
 * Executes a control request. Responds with 404 to unknown names, and with 400 and the reason to
 * invalid fields.
 */
export function answerControl(
  state: State,
  method: string,
  name: string,
  query: URLSearchParams,
  body: Body | undefined,
): Answer {
  const read = method === 'GET' && isControlRead(name) ? READS[name] : undefined;
  const action = method === 'POST' && Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!read && !action) return failure(404, `There is no ${method} /_control/${name}.`);
  if (body === undefined) return failure(400, 'The body is not a JSON object.');

  try {
    return ok(read ? read(state, query) : (action?.(state, readFields(body)) ?? DONE));
  } catch (error) {
    if (error instanceof ControlError) return failure(400, error.message);
    throw error;
  }
}
