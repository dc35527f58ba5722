import type { Restaurants } from '../../../kernel/scope.ts';
import type { Sql } from '../../../platform/db/database.ts';

/** Restaurants of rows, to check callers who are limited to some restaurants (ACC-61). */

type Found = { organizationId: number | null } | undefined;

/** Null is the whole chain. */
const toRestaurants = (row: Found): Restaurants =>
  row === undefined ? undefined : row.organizationId === null ? null : [row.organizationId];

export async function restaurantsOfException({ db }: Sql, id: number): Promise<Restaurants> {
  const row = db.selectFrom('schedule_exception').select('organizationId').where('id', '=', id);
  return toRestaurants(await row.executeTakeFirst());
}

export async function restaurantsOfNotice({ db }: Sql, id: number): Promise<Restaurants> {
  const row = db.selectFrom('guest_notice').select('organizationId').where('id', '=', id);
  return toRestaurants(await row.executeTakeFirst());
}

export async function restaurantsOfExpectation({ db }: Sql, id: number): Promise<Restaurants> {
  const row = db.selectFrom('expectation_rule').select('organizationId').where('id', '=', id);
  return toRestaurants(await row.executeTakeFirst());
}

export async function restaurantsOfZone({ db }: Sql, id: number): Promise<Restaurants> {
  const row = db.selectFrom('mirror_delivery_zone').select('organizationId').where('id', '=', id);
  return toRestaurants(await row.executeTakeFirst());
}

export async function restaurantsOfOverride({ db }: Sql, id: number): Promise<Restaurants> {
  const row = db
    .selectFrom('zone_override as override')
    .innerJoin('mirror_delivery_zone as zone', 'zone.id', 'override.zoneId')
    .select('zone.organizationId')
    .where('override.id', '=', id);

  return toRestaurants(await row.executeTakeFirst());
}
