import { askApart, isRefusal, type RefusedOrganization } from '../../../erp/apart.ts';
import type { CallOptions } from '../../../erp/call.ts';

export type PartAnswer<T> = { organizationErpIds: string[]; answer: T };

export type AskTogether = <T>(
  organizationErpIds: readonly string[],
  request: (organizationErpIds: string[], options: CallOptions | undefined) => Promise<T>,
) => Promise<PartAnswer<T>[]>;

/** `answering` are organizations that were not rejected. */
export type JointRequests = { answering: () => readonly string[]; ask: AskTogether };

/** Sends one request, which fails if any organization is rejected. */
export const askWhole =
  (options: CallOptions | undefined): AskTogether =>
  async (organizationErpIds, request) => {
    const ids = [...organizationErpIds];
    return [{ organizationErpIds: ids, answer: await request(ids, options) }];
  };

/**
 * Omits rejected organizations (rule ORD-117). `leaveOut` records them before the next request.
 *
 * @throws ErpFailure if all organizations are rejected, or for other failures.
 */
export function jointRequests(
  organizationErpIds: readonly string[],
  leaveOut: (
    refused: readonly RefusedOrganization[],
    options: { notifies: boolean },
  ) => Promise<void>,
  options: CallOptions | undefined,
): JointRequests {
  let answering = [...organizationErpIds];

  async function refuse(refused: readonly RefusedOrganization[]): Promise<void> {
    if (refused.length === 0) return;
    const ids = new Set(refused.map(({ organizationId }) => organizationId));
    answering = answering.filter((id) => !ids.has(id));
    await leaveOut(refused, { notifies: answering.length > 0 });
  }

  return {
    answering: () => answering,
    async ask(erpIds, request) {
      const among = erpIds.filter((id) => answering.includes(id));
      if (among.length === 0) return [];
      const part = async (ids: string[], { isSplit }: { isSplit: boolean }) => ({
        organizationErpIds: ids,
        answer: await request(ids, { ...options, isPart: true, isSplit }),
      });

      try {
        const { answers, refused } = await askApart(among, part);
        await refuse(refused);
        return answers;
      } catch (error) {
        if (!isRefusal(error, false)) throw error;
        await refuse(among.map((organizationId) => ({ organizationId, failure: error })));
        if (answering.length === 0) throw error;
        return [];
      }
    },
  };
}
