import { sql } from 'kysely';

/** Longest life of a session in days, however often its token is replaced (rule ACC-3). */
export const SESSION_DAYS = 30;
/** Of one through an identity provider, which may have closed the account since, and of whoever can manage users. */
const SHORT_SESSION_HOURS = 12;

/** When the session named `session` ends by itself: by the rights of now, so that new ones shorten the sessions that are open. */
export const ENDS_AT = sql<Date>`
  session.created_at + case
    when session.method = 'SSO' or exists (
      select from access_user_role link join access_role role on role.id = link.role_id
       where link.user_id = session.user_id and 'users.manage' = any (role.permissions))
    then ${sql.lit(SHORT_SESSION_HOURS)} * interval '1 hour' else ${sql.lit(SESSION_DAYS)} * interval '1 day' end`;

/** True while the session named `session` may be used. */
export const IS_ALIVE = sql<boolean>`(session.ended_at is null and session.expires_at > now() and ${ENDS_AT} > now())`;
