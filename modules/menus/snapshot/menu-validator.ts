import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { Menu } from '../schemas/menu.ts';
import { ANNOTATIONS } from '../../../kernel/pure/schemas.ts';

const ajv = new Ajv({ strict: true });
formats.default(ajv);
for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword);
/** Compiled with the first menu: most processes build none. */
let validate: ValidateFunction | undefined;

/** Throws when a text is not the menu that the public schema promises: what would be served is what is checked. */
export function assertPublicMenu(text: string): void {
  validate ??= ajv.compile(Menu);
  if (validate(JSON.parse(text))) return;
  const [first] = validate.errors ?? [];
  throw new Error(`The assembled menu breaks the public schema at ${first?.instancePath}: ${first?.message}`);
}
