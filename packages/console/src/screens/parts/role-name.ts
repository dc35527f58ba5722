import { code } from '../../texts/texts.ts';

/** Names that new databases give their roles. */
const SEEDED: Readonly<Record<string, string>> = {
  ADMIN: 'Administrator',
  CONTENT_MANAGER: 'Content manager',
  OPERATOR: 'Operator',
  RESTAURANT_MANAGER: 'Restaurant manager',
  GUEST_SERVICE: 'Guest service',
  VIEWER: 'Viewer',
};

/** The name of a role: that of a new database is translated, unless staff have changed it. */
export const roleName = ({ code: role, name }: { code: string; name: string }): string =>
  SEEDED[role] === name ? code('role', role) : name;
