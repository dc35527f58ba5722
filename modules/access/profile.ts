import { sql } from 'kysely';
import { PERMISSIONS, type Permission } from '../../kernel/pure/permissions.ts';
import type { Database } from '../../platform/db/database.ts';
import { compileOnce } from '../../platform/db/compile-once.ts';
import type { AccessEnv } from './env.ts';
import type { TokenClaims } from './access-token.ts';
import { IS_ALIVE } from './sessions.ts';

export type Profile = {
  userId: number;
  email: string;
  fullName: string;
  /** Role codes. */
  roles: string[];
  permissions: Permission[];
  /** Restaurants to which the user is limited; null for all (rule ACC-61). */
  organizationIds: number[] | null;
  /** Another user has set the password: it must be changed first (rule ACC-27). */
  mustChangePassword: boolean;
  /** `isDemanded`: nothing else is allowed before one is set up (rule ACC-19). */
  secondFactor: { isOn: boolean; isDemanded: boolean; recoveryCodesLeft: number };
};

export type ProfileDeps = { db: Pick<Database, 'prepared'>; env: Pick<AccessEnv, 'SECOND_FACTOR_FOR_ADMINISTRATORS'> };

const NOTHING = sql<string[]>`'{}'`;

/** Read for every request of staff: planning it took four times as long as its rows. */
const signedIn = compileOnce(({ db }, { userId, sessionId }: Pick<TokenClaims, 'userId' | 'sessionId'>) =>
  db
    .selectFrom('access_session as session')
    .innerJoin('access_user as user', 'user.id', 'session.userId')
    .leftJoin('access_second_factor as factor', (join) =>
      join.onRef('factor.userId', '=', 'user.id').on('factor.confirmedAt', 'is not', null),
    )
    .leftJoin('access_user_role as link', 'link.userId', 'user.id')
    .leftJoin('access_role as role', 'role.id', 'link.roleId')
    .select((eb) => [
      'user.id as userId',
      'user.email',
      'user.fullName',
      'user.organizationIds',
      'session.method',
      'user.mustChangePassword as isFromOthers',
      sql<number | null>`cardinality(factor.recovery_digests)`.as('codesLeft'),
      eb.fn
        .coalesce(eb.fn.agg<string[]>('array_agg', ['role.code']).filterWhere('role.id', 'is not', null), NOTHING)
        .as('roles'),
      sql<string[]>`array(select distinct unnest(held.permissions) from access_role held
        join access_user_role of_user on of_user.role_id = held.id where of_user.user_id = ${eb.ref('user.id')})`.as(
        'held',
      ),
    ])
    .where('session.id', '=', sessionId)
    .where('user.id', '=', userId)
    .where(IS_ALIVE)
    .where('user.isActive', '=', true)
    .groupBy(['user.id', 'session.id', 'factor.userId']),
);

/**
 * The signed-in user as of now, or null when the session has ended or the user was disabled. Read
 * for every request: a changed role acts at once (rule ACC-5).
 */
export async function readProfile(deps: ProfileDeps, { userId, sessionId }: TokenClaims): Promise<Profile | null> {
  const [row] = await signedIn(deps.db.prepared, { userId, sessionId });
  if (row === undefined) return null;
  const { held, method, codesLeft, isFromOthers, ...profile } = row;
  const mustChangePassword = method === 'PASSWORD' && isFromOthers;
  const isOn = codesLeft !== null;
  const isDemanded =
    deps.env.SECOND_FACTOR_FOR_ADMINISTRATORS && method === 'PASSWORD' && !isOn && held.includes('users.manage');
  return {
    ...profile,
    roles: profile.roles.toSorted(),
    // A role may still name a permission of a newer or older release.
    permissions: isDemanded || mustChangePassword ? [] : PERMISSIONS.filter((name) => held.includes(name)),
    mustChangePassword,
    secondFactor: { isOn, isDemanded, recoveryCodesLeft: codesLeft ?? 0 },
  };
}
