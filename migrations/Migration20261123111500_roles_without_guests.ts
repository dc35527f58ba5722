import { Migration } from '@mikro-orm/migrations';

/** What the roles held when nobody has edited them. */
const SEEDED = {
  OPERATOR: ['orders.read', 'orders.manage', 'compensations.read', 'compensations.grant'],
  VIEWER: ['orders.read', 'compensations.read'],
} as const;

/**
 * Who may look at menus does not see guests. Roles that staff have edited keep what they were given.
 */
export class Migration20261123111500_roles_without_guests extends Migration {
  override up(): void {
    for (const [code, names] of Object.entries(SEEDED))
      this.addSql(
        `update access_role set permissions = array(select name from unnest(permissions) with ordinality held (name, at)
                where name <> all (array[${names.map((name) => `'${name}'`).join(', ')}]) order by at), updated_at = now(), version = version + 1
          where code = '${code}' and version = 1`,
      );
  }

  override down(): void {
    for (const [code, names] of Object.entries(SEEDED))
      this.addSql(
        `update access_role set permissions = permissions || array[${names.map((name) => `'${name}'`).join(', ')}], version = 1
          where code = '${code}' and version = 2 and not permissions && array[${names.map((name) => `'${name}'`).join(', ')}]`,
      );
  }
}
