import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openApiDocument } from '../api/http/documents/openapi.ts';
import { REFERENCE_SCRIPT } from '../api/http/documents/reference.ts';
import type { Api } from '../api/http/route.ts';
import { routes } from '../api/routes.ts';

/** Writes the OpenAPI descriptions and their viewer for the docs site (OPS-169). */
const APIS: readonly Api[] = ['public', 'admin', 'webhooks'];
const folder = join(import.meta.dirname, '../packages/docs-site/apis');
await mkdir(folder, { recursive: true });
for (const api of APIS)
  await writeFile(join(folder, `${api}.json`), JSON.stringify(openApiDocument(api, routes)));
await writeFile(join(folder, 'reference-view.js'), REFERENCE_SCRIPT);
