import {
  confirmSecondFactor,
  beginSecondFactor,
} from '../../../modules/access/second-factor/set-factor.ts';
import {
  removeFactorOfUser,
  removeOwnFactor,
} from '../../../modules/access/second-factor/remove-factor.ts';
import {
  FactorConfirmation,
  FactorRemoval,
  NewSecondFactor,
  PresentPassword,
  RecoveryCodes,
} from '../../../modules/access/schemas/access.ts';
import { defineRoute } from '../../http/route.ts';
import { IdParams } from '../../http/schemas.ts';

const common = { api: 'admin', tags: ['Access'], permission: 'authenticated' } as const;

const beginRoute = defineRoute({
  ...common,
  method: 'POST',
  path: '/me/second-factor',
  operationId: 'beginSecondFactor',
  despite: ['SECOND_FACTOR'],
  summary: 'Set up a second factor',
  description:
    'Makes a secret for an authenticator app. It counts after its first code was confirmed, within 15 minutes; a second request replaces it.',
  body: PresentPassword,
  responses: { 200: NewSecondFactor },
  problems: ['invalid-transition'],
  handler: async ({ body, actor, clientAddress: address }, deps) => ({
    status: 200,
    body: await beginSecondFactor(deps, { ...actor, address }, body),
  }),
});

const confirmRoute = defineRoute({
  ...common,
  method: 'POST',
  path: '/me/second-factor/confirm',
  operationId: 'confirmSecondFactor',
  despite: ['SECOND_FACTOR'],
  summary: 'Confirm the second factor',
  description:
    'Takes the first code of the app. From now on, signing in with the password requires a code. The response contains ten recovery codes, which are ' +
    'shown this one time. The other sessions of the user end.',
  body: FactorConfirmation,
  responses: { 200: RecoveryCodes },
  problems: ['invalid-transition'],
  handler: async ({ body, actor, clientAddress: address }, deps) => ({
    status: 200,
    body: await confirmSecondFactor(deps, { ...actor, address }, body.code),
  }),
});

const removeRoute = defineRoute({
  ...common,
  method: 'POST',
  path: '/me/second-factor/remove',
  operationId: 'removeSecondFactor',
  summary: 'Remove your second factor',
  description: 'Takes the present password and a code of the app, or a recovery code.',
  body: FactorRemoval,
  responses: { 204: null },
  handler: async ({ body, actor, clientAddress: address }, deps) => {
    await removeOwnFactor(deps, { ...actor, address }, body);
    return { status: 204 };
  },
});

const removeOfUserRoute = defineRoute({
  ...common,
  permission: 'users.manage',
  method: 'DELETE',
  path: '/users/{id}/second-factor',
  operationId: 'removeSecondFactorOfUser',
  summary: 'Remove the second factor of a user',
  description:
    'For a user who has lost the phone and the recovery codes. Administrators cannot remove their own like this.',
  params: IdParams,
  responses: { 204: null },
  problems: ['not-found', 'invalid-transition'],
  handler: async ({ params, actor }, deps) => {
    await removeFactorOfUser(deps, actor, params.id);
    return { status: 204 };
  },
});

export const secondFactorRoutes = [beginRoute, confirmRoute, removeRoute, removeOfUserRoute];
