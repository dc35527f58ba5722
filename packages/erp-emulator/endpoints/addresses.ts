import { randomUUID } from 'node:crypto';
import { createDice } from '../data/dice.ts';
import { buildStreets, cityOf } from '../data/streets.ts';
import type { Organization } from '../model.ts';
import type { Context } from '../state.ts';
import { failure, ok, stringList } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import { visibleOrganizations } from './organizations.ts';

const cityId = ({ state }: Context, organization: Organization): string =>
  createDice(state.dataset.seed).uuid(`city/${cityOf(organization)}`);

export function cities(context: Context, body: Body): Answer {
  const wanted = stringList(body.organizationIds);
  if (!wanted || wanted.length === 0) return failure(400, 'organizationIds is required.');
  const rows = visibleOrganizations(context)
    .filter(({ id }) => wanted.includes(id))
    .map((organization) => ({
      organizationId: organization.id,
      items: [
        {
          id: cityId(context, organization),
          name: cityOf(organization),
          externalRevision: 1,
          isDeleted: false,
          classifierId: null,
          additionalInfo: null,
        },
      ],
    }));

  return ok({ correlationId: randomUUID(), cities: rows });
}

/** Returns the streets of a city. An unknown city has none. */
export function streetsByCity(context: Context, body: Body): Answer {
  const organization = visibleOrganizations(context).find(({ id }) => id === body.organizationId);
  if (organization === undefined) return failure(400, 'The organization is unknown.');
  const dice = createDice(context.state.dataset.seed);
  const isCity = body.cityId === cityId(context, organization);
  const names = new Set(isCity ? buildStreets(organization).map(({ street }) => street) : []);

  return ok({
    correlationId: randomUUID(),
    streets: [...names].map((name) => ({
      id: dice.uuid(`street/${cityOf(organization)}/${name}`),
      name,
      externalRevision: 1,
      classifierId: null,
      isDeleted: false,
    })),
  });
}
