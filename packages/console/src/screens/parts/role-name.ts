import { code } from '../../texts/texts.ts';

/** Names of roles in new databases. */
const SEEDED: Readonly<Record<string, string>> = {
  ADMIN: 'Administrator',
  CONTENT_MANAGER: 'Content manager',
  OPERATOR: 'Operator',
  RESTAURANT_MANAGER: 'Restaurant manager',
  GUEST_SERVICE: 'Guest service',
  VIEWER: 'Viewer',
};

/** Translates the name unless staff have changed it. */
export const roleName = ({ code: role, name }: { code: string; name: string }): string =>
  SEEDED[role] === name ? code('role', role) : name;
