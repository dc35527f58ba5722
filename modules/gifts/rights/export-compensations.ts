import { everyPage } from '../../../kernel/cursor-pages.ts';
import type { ExportColumns } from '../../../kernel/exports.ts';
import type { Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { listCompensations, type CompensationFilters } from './compensations.ts';
import type { Compensation } from '../schemas/gifts.ts';

/** Most digits of phones are hidden (rule CMP-119). */
export const COMPENSATION_EXPORT: ExportColumns<Compensation> = {
  id: (right) => right.id,
  status: (right) => right.status,
  client_id: (right) => right.clientId,
  client_phone: (right) => right.clientPhone,
  connection_id: (right) => right.connectionId,
  reward_code: (right) => right.rewardCode,
  reward_name: (right) => right.rewardName,
  quantity: (right) => right.quantity,
  reason: (right) => right.reason,
  reason_comment: (right) => right.reasonComment,
  source: (right) => right.source,
  granted_at: (right) => right.grantedAt,
  expires_at: (right) => right.expiresAt,
  redeemed_at: (right) => right.redeemedAt,
  redeemed_order_id: (right) => right.redeemedOrderId,
};

export const exportCompensations = (
  deps: { db: Sql; secrets: SecretBox },
  filters: CompensationFilters,
): AsyncGenerator<Compensation[]> =>
  everyPage((paging) => listCompensations(deps, filters, paging));
