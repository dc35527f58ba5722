import { adminClient } from './admin-client.ts';
import { eventually } from './processes.ts';
import type { DemoProduct } from './product.ts';
import { promisesAtTheErp } from './promises-at-the-erp.ts';
import {} from './rows.ts';

/** Dishes that become incidents. Further missing dishes are a shrink to accept. */
const VANISHING = 8;
const TOO_MANY = 8;
const PATIENCE_MS = 180_000;

/**
 * Adds staff, gift promises, incidents and a rejected shrink. Returns a staff member for sign-in:
 * wrong passwords of other tests would lock the administrator's account.
 */
export async function peopleAndIncidents(
  demo: DemoProduct,
): Promise<{ email: string; password: string }> {
  const guest = { email: 'guest@carte.test', password: 'a guest who signs in' };
  const first = 'what the administrator has set';
  await demo.admin.post('/users', {
    ...guest,
    password: first,
    fullName: 'Guest',
    roles: ['VIEWER'],
  });
  const client = await adminClient(demo.api.url, guest.email, first);
  await client.post('/me/password', { currentPassword: first, newPassword: guest.password });
  for (let number = 1; number <= 20; number += 1)
    await demo.admin.post('/users', {
      email: `cook-${number}@carte.test`,
      fullName: `Cook ${number}`,
      password: `a password of cook ${number}`,
      roles: ['OPERATOR'],
    });
  for (let number = 1; number <= 30; number += 1)
    await demo.admin.post('/categories', { name: `Empty ${number}` });
  await promisesAtTheErp(demo);
  await loseDishes(demo);
  return guest;
}

async function loseDishes({ product, admin, menuId }: DemoProduct): Promise<void> {
  const items = await product.db.db
    .selectFrom('catalog_variant as v')
    .innerJoin('mirror_item_size as s', 's.id', 'v.itemSizeId')
    .innerJoin('mirror_item as i', 'i.id', 's.itemId')
    .innerJoin('mirror_item_menu as m', 'm.itemId', 'i.id')
    .innerJoin('mirror_external_menu as e', (join) =>
      join.onRef('e.id', '=', 'm.externalMenuId').on('e.erpId', '=', menuId),
    )
    .select('i.erpId')
    .distinct()
    .orderBy('erpId')
    .limit(VANISHING + TOO_MANY)
    .execute();
  const ids = items.map((item) => item.erpId);
  await product.emulator.control('vanish', { menuId, itemIds: ids.slice(0, VANISHING) });
  await importMenu({ admin, menuId }, 'FULL');
  // The second import without the dishes ends their grace period.
  await product.emulator.control('reprice', { menuId, percent: 1 });
  await importMenu({ admin, menuId }, 'INCREMENTAL');
  const haveIncidents = async () => {
    const { total } = await admin.get<{ total: number }>('/binding-incidents');
    return total >= VANISHING ? true : undefined;
  };
  await eventually('the incidents', haveIncidents, PATIENCE_MS);
  await admin.patch('/settings/sync.shrink_threshold_percent', { value: 1, version: 0 });
  await product.emulator.control('vanish', { menuId, itemIds: ids.slice(VANISHING) });
  await importMenu({ admin, menuId }, 'FULL');
  await product.settled();
}

async function importMenu(
  { admin, menuId }: Pick<DemoProduct, 'admin' | 'menuId'>,
  mode: string,
): Promise<void> {
  const { runId } = await admin.post<{ runId: number }>('/sync/run', {
    job: 'MENU',
    scope: menuId,
    mode,
  });
  const hasEnded = async () => {
    const { status } = await admin.get<{ status: string }>(`/sync/runs/${runId}`);
    return status === 'RUNNING' ? undefined : true;
  };
  await eventually(`the end of import ${runId}`, hasEnded, PATIENCE_MS);
}
