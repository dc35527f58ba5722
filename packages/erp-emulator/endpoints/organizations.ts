import { randomUUID } from 'node:crypto';
import type { Organization, TerminalGroup } from '../model.ts';
import { findTerminal } from '../state.ts';
import type { Context, OrganizationShape } from '../state.ts';
import { failure, ok, stringList } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';

/** Returns the organizations that a key can access, in data set order. */
export function visibleOrganizations({ state, account }: Context): Organization[] {
  return state.dataset.organizations.filter(
    ({ id, removed }) => !removed && account.organizationIds.includes(id),
  );
}

const realPlace = ({ address, latitude, longitude }: Organization): object => ({
  restaurantAddress: address,
  latitude,
  longitude,
});

const PLACE_FIELDS: Readonly<Record<OrganizationShape, (organization: Organization) => object>> = {
  real: realPlace,
  'null-name': realPlace,
  'root-address': ({ address, latitude, longitude }) => ({ address, latitude, longitude }),
  'additional-info': ({ address, latitude, longitude }) => ({
    additionalInfo: { restaurantAddress: address, latitude, longitude },
  }),
};

function simple({ id, name, code }: Organization, responseType: string): object {
  return { responseType, id, name, code, externalData: null };
}

function extended(organization: Organization, shape: OrganizationShape): object {
  return {
    ...simple(organization, 'Extended'),
    country: 'Россия',
    ...PLACE_FIELDS[shape](organization),
    useUaeAddressingSystem: false,
    version: '9.8.2016.0',
    currencyIsoName: 'RUB',
    currencyMinimumDenomination: 0.01,
    countryPhoneCode: '7',
    marketingSourceRequiredInDelivery: false,
    defaultDeliveryCityId: null,
    deliveryCityIds: null,
    deliveryServiceType: 'CourierAndSelfService',
    deliveryOrderPaymentSettings: null,
    defaultCallCenterPaymentTypeId: null,
    orderItemCommentEnabled: true,
    inn: null,
    addressFormatType: 'Legacy',
    isConfirmationEnabled: false,
    confirmAllowedIntervalInMinutes: null,
    isCloud: true,
    isAnonymousGuestsAllowed: false,
    addressLookup: ['DaData'],
  };
}

/** Returns organizations. `organizationIds` filters them, `returnAdditionalInfo` adds fields. */
export function organizations(context: Context, body: Body): Answer {
  const wanted = stringList(body.organizationIds);
  const rows = visibleOrganizations(context).filter(
    ({ id }) => wanted === undefined || wanted.includes(id),
  );
  const long = body.returnAdditionalInfo === true;
  const shape = context.state.organizationShape;

  return ok({
    correlationId: randomUUID(),
    organizations: rows.map((row) => ({
      ...(long ? extended(row, shape) : simple(row, 'Simple')),
      ...(shape === 'null-name' && row === rows[0] ? { name: null } : {}),
    })),
  });
}

export function terminalRow(
  organization: Organization,
  { id, name, timeZone }: TerminalGroup,
): object {
  const { id: organizationId } = organization;
  return {
    id,
    organizationId,
    name,
    address: null,
    timeZone,
    externalData: null,
    posVersion: '9.4.9011.0',
  };
}

/** Returns terminal groups, with sleeping ones separate. Omits unknown organizations. */
export function terminalGroups(context: Context, body: Body): Answer {
  const wanted = stringList(body.organizationIds);
  if (!wanted) return failure(400, 'organizationIds is required.');
  const rows = visibleOrganizations(context).filter(({ id }) => wanted.includes(id));
  const wrap = (asleep: boolean): { organizationId: string; items: object[] }[] =>
    rows.map((organization) => ({
      organizationId: organization.id,
      items: organization.terminalGroups
        .filter((group) => group.asleep === asleep)
        .map((group) => terminalRow(organization, group)),
    }));

  return ok({
    correlationId: randomUUID(),
    terminalGroups: wrap(false),
    terminalGroupsInSleep: wrap(true).filter(({ items }) => items.length > 0),
  });
}

/** Returns which terminal groups are alive. Omits unknown groups. */
export function terminalsAlive(context: Context, body: Body): Answer {
  const wanted = stringList(body.terminalGroupIds);
  const organizationIds = stringList(body.organizationIds);
  if (!wanted || !organizationIds)
    return failure(400, 'organizationIds and terminalGroupIds are required.');
  const isAliveStatus = visibleOrganizations(context)
    .filter(({ id }) => organizationIds.includes(id))
    .flatMap(({ id: organizationId, terminalGroups: groups }) =>
      groups
        .filter(({ id }) => wanted.includes(id))
        .map(({ id, asleep }) => ({
          isAlive: !asleep && findTerminal(context.state, id).isAlive,
          terminalGroupId: id,
          organizationId,
        })),
    );

  return ok({ correlationId: randomUUID(), isAliveStatus });
}
