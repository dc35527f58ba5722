import { AdminApiError, type AdminApi } from './admin-api.ts';
import { GIFTS, GUEST_PHONE } from './catalog.ts';
import type { Dish } from './products.ts';
import type { PictureOf } from './shop.ts';

type Reward = { id: number; code: string; version: number; categoryId: string | null };

/**
 * Creates gifts, and promises the guest each gift without a granted right, so that a used demo
 * can be shown again. Changes by staff stay. Returns the number of new promises.
 */
export async function ensureGifts(
  api: AdminApi,
  connection: { id: number },
  { dishes, pictureOf }: { dishes: readonly Dish[]; pictureOf: PictureOf },
): Promise<number> {
  const existing = await api.all<Reward>('/rewards');
  const client = encodeURIComponent(GUEST_PHONE);
  const promised = await api.all<{ rewardId: number }>(
    `/compensations?status=GRANTED&client=${client}`,
  );
  let count = 0;

  for (const { code, name, dish, theme, categoryId = null } of GIFTS) {
    const itemId = dishes.find((entry) => entry.name === dish)?.itemId;
    // Only the emulator has this dish.
    if (itemId === undefined) continue;
    const body = {
      code,
      name,
      erpItemId: itemId,
      imageId: pictureOf(theme, name) ?? null,
      categoryId,
    };

    const reward =
      existing.find((entry) => entry.code === code) ?? (await api.post<Reward>('/rewards', body));
    const { id, version } = reward;
    // A demo of an earlier release has no category.
    if (version === 1 && reward.categoryId !== categoryId)
      await api.patch(`/rewards/${id}`, { version, categoryId });
    if (promised.some(({ rewardId }) => rewardId === id)) continue;
    if (await promise(api, connection, id)) count += 1;
  }

  return count;
}

/** Returns false if the user has reached the daily limit of promises. */
async function promise(
  api: AdminApi,
  connection: { id: number },
  rewardId: number,
): Promise<boolean> {
  const right = {
    clientPhone: GUEST_PHONE,
    connectionId: connection.id,
    rewardId,
    reason: 'LATE_DELIVERY',
    reasonComment: 'Заказ приехал на час позже.',
  };

  try {
    await api.post('/compensations', right, `demo-gift-${crypto.randomUUID()}`);
    return true;
  } catch (error) {
    if (error instanceof AdminApiError && error.kind === 'grant-limit-reached') return false;
    throw error;
  }
}
