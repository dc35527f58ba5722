import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** Files in `base/`, one per capability, in the order of their foreign keys. */
const CAPABILITIES = [
  'kernel',
  'access',
  'notifications',
  'settings',
  'media',
  'connections',
  'mirror',
  'mirror-staging',
  'rebuilds',
  'webhooks',
  'catalog',
  'binding',
  'menus',
  'gifts',
  'ordering',
  'delivery',
  'views',
];

/** The schema of release 0.1.0 with its seeded rows. Later changes are migrations of their own. */
export class Migration20261121000000_base extends Migration {
  override up(): void {
    for (const capability of CAPABILITIES) this.addSql(read(capability));
  }

  override down(): void {
    this.addSql(read('down'));
  }
}

const read = (name: string): string =>
  readFileSync(new URL(`base/${name}.sql`, import.meta.url), 'utf8');
