import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../api/http/openapi.ts';
import { routes } from '../api/routes.ts';

/** `npm run openapi`: writes the description of the public contour that is committed as the baseline of its contract. */
const file = new URL('../contracts/openapi/public.json', import.meta.url);
await writeFile(file, `${JSON.stringify(openApiDocument('public', routes), null, 2)}\n`);
