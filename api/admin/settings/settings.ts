import { Type } from 'typebox';
import { changeSetting } from '../../../modules/settings/change-setting.ts';
import { getSetting, listSettings } from '../../../modules/settings/list-settings.ts';
import { consoleConfig } from '../../../modules/settings/console-config.ts';
import { ConsoleConfig } from '../../../modules/settings/schemas/console-config.ts';
import { Setting, SettingEdit } from '../../../modules/settings/schemas/settings.ts';
import { Page, Strict } from '../../../kernel/pure/schemas.ts';
import { isStaffToken } from '../../http/access/guard.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, toPage, sortQuery } from '../../http/schemas.ts';

const tags = ['Settings'];
const KeyParams = Strict({ key: Type.String({ minLength: 1, maxLength: 100 }) });

const listSettingsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/settings',
  operationId: 'listSettings',
  summary: 'Settings of the product',
  description:
    'Settings are sorted by key. A setting that was never changed is listed with its default value and version 0.',
  tags,
  permission: 'settings.read',
  query: Strict({ ...pageQuery, ...sortQuery(['key', 'updatedAt']) }),
  responses: { 200: Page(Setting) },
  handler: async ({ query }, { db }) => ({
    status: 200,
    body: await listSettings(db, toPage(query)),
  }),
});

const getSettingRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/settings/{key}',
  operationId: 'getSetting',
  summary: 'One setting',
  description: 'A change has to name `version`.',
  tags,
  permission: 'settings.read',
  params: KeyParams,
  responses: { 200: Setting },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({ status: 200, body: await getSetting(db, params.key) }),
});

const changeSettingRoute = defineRoute({
  api: 'admin',
  method: 'PATCH',
  path: '/settings/{key}',
  operationId: 'changeSetting',
  summary: 'Change a setting',
  description:
    'The change takes effect at once, without a release. `value: null` restores the default. When `version` is not the ' +
    'stored one, the answer is `version-conflict` with `currentVersion`.',
  tags,
  permission: 'settings.manage',
  params: KeyParams,
  body: SettingEdit,
  responses: { 200: Setting },
  problems: ['not-found', 'version-conflict'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await changeSetting(deps, actor, params.key, body),
  }),
});

const consoleConfigRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/console-config',
  operationId: 'getConsoleConfig',
  summary: 'Configuration of the staff UI',
  description:
    'Needs no access token: the page for signing in shows the name of the chain and the ways to sign in. With the access ' +
    'token of a user the answer also has the map background and the URL of Temporal. An invalid token counts as none. ' +
    'The settings `chain_name`, `map_tiles` and `temporal_ui_url` have these values.',
  tags,
  permission: 'public',
  responses: { 200: ConsoleConfig },
  handler: async ({ headers }, deps) => ({
    status: 200,
    body: await consoleConfig(deps, await isStaffToken(headers.authorization, deps)),
  }),
});

export const settingRoutes = [
  listSettingsRoute,
  getSettingRoute,
  changeSettingRoute,
  consoleConfigRoute,
];
