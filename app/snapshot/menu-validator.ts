import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { MenuSchema } from '../../contracts/menu-schema.ts';

const ajv = new Ajv({ strict: true });
formats.default(ajv);
ajv.addKeyword({ keyword: 'x-money', schemaType: 'boolean' });
const validate = ajv.compile(MenuSchema);

/** Throws when a text is not the menu that the public schema promises: what would be served is what is checked. */
export function assertPublicMenu(text: string): void {
  if (validate(JSON.parse(text))) return;
  const [first] = validate.errors ?? [];
  throw new Error(`The assembled menu breaks the public schema at ${first?.instancePath}: ${first?.message}`);
}
