import { sql } from 'kysely';
import { PERMISSIONS, type Permission } from '../../kernel/pure/permissions.ts';
import { anyOf, type Database, type Sql } from '../../platform/db/database.ts';
import { compileOnce } from '../../platform/db/compile-once.ts';
import type { AccessEnv } from './env.ts';
import type { TokenClaims } from './access-token.ts';
import { IS_ALIVE } from './sessions.ts';

export type Profile = {
  userId: number;
  email: string;
  fullName: string;
  /** Codes. */
  roles: string[];
  permissions: Permission[];
  /** Null if not limited (rule ACC-61). */
  organizationIds: number[] | null;
  /** True if another user set the password (rule ACC-27). */
  mustChangePassword: boolean;
  /** `isDemanded` blocks everything else until the second factor is set up (rule ACC-19). */
  secondFactor: { isOn: boolean; isDemanded: boolean; recoveryCodesLeft: number };
};

export type ProfileDeps = {
  db: Pick<Database, 'prepared'>;
  env: Pick<AccessEnv, 'SECOND_FACTOR_FOR_ADMINISTRATORS'>;
};

const NOTHING = sql<string[]>`'{}'`;

const signedInUsers = ({ db }: Sql) =>
  db
    .selectFrom('access_session as session')
    .innerJoin('access_user as user', 'user.id', 'session.userId')
    .leftJoin('access_second_factor as factor', (join) =>
      join.onRef('factor.userId', '=', 'user.id').on('factor.confirmedAt', 'is not', null),
    )
    .leftJoin('access_user_role as link', 'link.userId', 'user.id')
    .leftJoin('access_role as role', 'role.id', 'link.roleId')
    .select((eb) => [
      'session.id as sessionId',
      'user.id as userId',
      'user.email',
      'user.fullName',
      'user.organizationIds',
      'session.method',
      'user.mustChangePassword as isFromOthers',
      sql<number | null>`cardinality(factor.recovery_digests)`.as('codesLeft'),
      eb.fn
        .coalesce(
          eb.fn.agg<string[]>('array_agg', ['role.code']).filterWhere('role.id', 'is not', null),
          NOTHING,
        )
        .as('roles'),
      sql<string[]>`array(select distinct unnest(held.permissions) from access_role held
        join access_user_role of_user on of_user.role_id = held.id where of_user.user_id = ${eb.ref('user.id')})`.as(
        'held',
      ),
    ])
    .where(IS_ALIVE)
    .where('user.isActive', '=', true)
    .groupBy(['user.id', 'session.id', 'factor.userId']);

/** Prepared, because planning took four times as long as execution. */
const signedIn = compileOnce(
  (tx, { userId, sessionId }: Pick<TokenClaims, 'userId' | 'sessionId'>) =>
    signedInUsers(tx).where('session.id', '=', sessionId).where('user.id', '=', userId),
);

/**
 * Returns null after the session has ended. Called for every request, so changed roles apply at
 * once (rule ACC-5).
 */
export async function readProfile(
  deps: ProfileDeps,
  { userId, sessionId }: TokenClaims,
): Promise<Profile | null> {
  const [row] = await signedIn(deps.db.prepared, { userId, sessionId });
  return row === undefined ? null : toProfile(deps, row);
}

/** Reads many sessions with one statement, without ended ones. */
export async function readProfiles(
  deps: ProfileDeps & { db: Database },
  sessionIds: readonly string[],
): Promise<Map<string, Profile>> {
  const rows = await signedInUsers(deps.db)
    .where('session.id', '=', anyOf(sessionIds, 'uuid'))
    .execute();
  return new Map(rows.map((row) => [row.sessionId, toProfile(deps, row)]));
}

type SignedIn = Awaited<ReturnType<typeof signedIn>>[number];

function toProfile({ env }: Pick<ProfileDeps, 'env'>, row: SignedIn): Profile {
  const { held, method, codesLeft, isFromOthers, sessionId: _, ...profile } = row;
  const mustChangePassword = method === 'PASSWORD' && isFromOthers;
  const isOn = codesLeft !== null;
  const isDemanded =
    env.SECOND_FACTOR_FOR_ADMINISTRATORS &&
    method === 'PASSWORD' &&
    !isOn &&
    held.includes('users.manage');

  return {
    ...profile,
    roles: profile.roles.toSorted(),
    // A role may have permissions of another release.
    permissions:
      isDemanded || mustChangePassword ? [] : PERMISSIONS.filter((name) => held.includes(name)),
    mustChangePassword,
    secondFactor: { isOn, isDemanded, recoveryCodesLeft: codesLeft ?? 0 },
  };
}
