import { sql } from 'kysely';
import type { GiftMarkers, GiftPhrases, MarkerVariant } from '../../settings/schemas/settings.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import type { MarkerSource } from '../rules/words.ts';
import type { ErpClient } from '../../../erp/client.ts';
import type { ErpCustomerInfo, ErpCustomerKey } from '../../../erp/endpoints/customers.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { applyCard } from './apply-card.ts';
import { ensureClient, findClients } from '../clients/clients.ts';
import { noteCandidates } from './note-candidates.ts';

/** Maximum time that a guest waits. */
const BUDGET_MS = 1_000;

/** Card reads of this process. `absent` contains recent reads that found no card. */
export type CardReadings = {
  freshMs: number;
  absent: { has: (key: string) => boolean; add: (key: string) => void };
  share: (key: string, work: () => Promise<CardKnowledge>) => Promise<CardKnowledge>;
};

type Pace = { budgetMs: number; isHurried: boolean; readings?: CardReadings | undefined };

const MARKER_SOURCES = {
  CATEGORY: 'ERP_CATEGORY',
  COMMENT: 'ERP_COMMENT',
} as const satisfies Record<Exclude<MarkerVariant, 'OFF'>, MarkerSource>;

export type CardDeps = { db: Database; erp: Pick<ErpClient, 'customerInfo'>; secrets: SecretBox };

export type CardPlace = {
  connectionId: number;
  organizationId: number;
  organizationErpId: string;
};

/**
 * LAST_KNOWN: state of `readAt`, because the ERP was slow or a later read was applied. NONE: there
 * is no client, loyalty program or restaurant. OFF: cards are not read.
 */
export type CardKnowledge =
  | { state: 'OFF' }
  | { state: 'NONE' }
  | { state: 'READ'; readAt: Date }
  | { state: 'LAST_KNOWN'; readAt: Date | null };

/**
 * Grants promised gifts and stores phrases (rules CMP-22, CMP-40 to CMP-43). Requires a verified
 * phone. Does not throw if the ERP fails or is slow. Shares `readings` (rules CMP-105, CMP-118).
 * Idempotent.
 */
export function readCard(
  deps: CardDeps,
  verifiedPhone: string,
  placeOf: () => Promise<CardPlace | null>,
  { budgetMs = BUDGET_MS, readings }: { budgetMs?: number; readings?: CardReadings } = {},
): Promise<CardKnowledge> {
  return readCardOfClient(deps, { phone: verifiedPhone }, placeOf, {
    budgetMs,
    isHurried: true,
    readings,
  });
}

const UNHURRIED_MS = 5_000;

/** Reads a card in the background. If markers are off, only links id and phone (rule CMP-101). */
export async function readCardOfOrder(
  deps: CardDeps,
  customer: { id: string } | { phone: string },
  place: CardPlace,
): Promise<CardKnowledge> {
  const keys = 'id' in customer ? { erpCustomerId: customer.id } : customer;
  const pace = { budgetMs: UNHURRIED_MS, isHurried: false };
  const read = await readCardOfClient(deps, keys, async () => place, pace);
  if (read.state === 'OFF') await identifyClient(deps, keys, place, pace);
  return read;
}

/** Links id and phone without reading promises. */
async function identifyClient(
  deps: CardDeps,
  client: { phone: string } | { erpCustomerId: string },
  place: CardPlace,
  pace: Pace,
): Promise<void> {
  const { db, secrets } = deps;
  const keys = { connectionId: place.connectionId, ...client };
  const [known] = await findClients(db, { secrets }, keys);
  const info = await cardOfErp(
    deps,
    place,
    { client, knownId: known?.erpCustomerId ?? null },
    pace,
  );
  if (info?.outcome !== 'FOUND' || info.customer.isGone) return;

  const { customer } = info;
  await db.transaction((tx) => ensureClient(tx, { secrets }, { ...keys, ...keysOfCard(customer) }));
}

function keysOfCard({ id, phone }: { id: string; phone: string | null }): {
  erpCustomerId: string;
  phone?: string;
} {
  const normal = phone === null ? null : normalPhone(phone);
  return { erpCustomerId: id, ...(normal === null ? {} : { phone: normal }) };
}

async function readCardOfClient(
  deps: CardDeps,
  client: { phone: string } | { erpCustomerId: string },
  placeOf: () => Promise<CardPlace | null>,
  pace: Pace,
): Promise<CardKnowledge> {
  const { db, secrets } = deps;
  const settings = await cardSettings(db);
  if (isOff(settings.gift_markers)) return { state: 'OFF' };
  const place = await placeOf();
  if (place === null) return { state: 'NONE' };
  const { connectionId } = place;
  const variant = chooseVariant(settings.gift_markers, connectionId);
  if (variant === 'OFF') return { state: 'OFF' };
  const keys = { connectionId, ...client };
  const [known] = await findClients(db, { secrets }, keys);
  const before = await cardNow(db, known?.id ?? null);
  const { readings } = pace;
  if (
    before.readAt !== null &&
    before.now.getTime() - before.readAt.getTime() < (readings?.freshMs ?? 0)
  )
    return { state: 'READ', readAt: before.readAt };

  const absentKey = JSON.stringify([place.organizationErpId, keys]);
  if (readings?.absent.has(absentKey) === true) return { state: 'NONE' };
  const read = async (): Promise<CardKnowledge> => {
    const knowledge = await readFromErp(
      deps,
      { client, known, before, settings, variant, place },
      pace,
    );
    if (knowledge.state === 'NONE') readings?.absent.add(absentKey);

    return knowledge;
  };

  return readings === undefined ? read() : readings.share(JSON.stringify(keys), read);
}

type ReadingOf = {
  client: { phone: string } | { erpCustomerId: string };
  known: Awaited<ReturnType<typeof findClients>>[number] | undefined;
  before: { now: Date; readAt: Date | null };
  settings: CardSettings;
  variant: Exclude<MarkerVariant, 'OFF'>;
  place: CardPlace;
};

async function readFromErp(
  deps: CardDeps,
  { client, known, before, settings, variant, place }: ReadingOf,
  pace: Pace,
): Promise<CardKnowledge> {
  const { db, secrets } = deps;
  const { connectionId, organizationId } = place;
  const keys = { connectionId, ...client };
  const info = await cardOfErp(
    deps,
    place,
    { client, knownId: known?.erpCustomerId ?? null },
    pace,
  );
  if (info === null) return { state: 'LAST_KNOWN', readAt: before.readAt };

  if (info.outcome !== 'FOUND' || info.customer.isGone) return { state: 'NONE' };
  const { customer } = info;

  return db.transaction(async (tx) => {
    const ofCard = 'phone' in client ? { erpCustomerId: customer.id } : keysOfCard(customer);
    const clientId = await ensureClient(tx, { secrets }, { ...keys, ...ofCard });
    const reading = { clientId, customer, organizationId, askedAt: before.now, clears: null };
    const applied = await applyCard(tx, {
      ...reading,
      source: MARKER_SOURCES[variant],
      onlyOneRight: settings.gifts_per_client === 'ONE',
    });

    const phrases = choosePhrases(settings.gift_phrases, connectionId);
    if (applied !== null)
      await noteCandidates(tx, { secrets }, { ...reading, connectionId }, phrases);
    const { readAt } = await cardNow(tx, clientId);

    return applied === null || readAt === null
      ? { state: 'LAST_KNOWN', readAt }
      : { state: 'READ', readAt };
  });
}

const cardSettings = (db: Sql) =>
  readSettings(db, 'gift_markers', 'gifts_per_client', 'gift_phrases');
type CardSettings = Awaited<ReturnType<typeof cardSettings>>;

export const chooseVariant = (
  { usual, connections }: GiftMarkers,
  connectionId: number,
): MarkerVariant => connections[String(connectionId)] ?? usual;

const choosePhrases = (
  { usual, connections }: GiftPhrases,
  connectionId: number,
): readonly string[] => connections[String(connectionId)] ?? usual;

const isOff = ({ usual, connections }: GiftMarkers): boolean =>
  [usual, ...Object.values(connections)].every((variant) => variant === 'OFF');

async function cardNow(
  { db }: Sql,
  clientId: string | null,
): Promise<{ now: Date; readAt: Date | null }> {
  return db
    .selectNoFrom([
      sql<Date>`clock_timestamp()`.as('now'),
      sql<Date | null>`(select read_at from client_card where client_id = ${clientId}::uuid)`.as(
        'readAt',
      ),
    ])
    .executeTakeFirstOrThrow();
}

type Asked = { client: { phone: string } | { erpCustomerId: string }; knownId: string | null };

/**
 * Returns null if the ERP fails or is too slow. Reads by id, because phones change owners; then by
 * phone, if the card has another phone or was deleted (rule CMP-83).
 */
async function cardOfErp(
  { erp }: CardDeps,
  { connectionId, organizationErpId }: CardPlace,
  { client, knownId }: Asked,
  { budgetMs, isHurried }: Pace,
): Promise<ErpCustomerInfo | null> {
  const signal = AbortSignal.timeout(budgetMs);
  const ask = (key: ErpCustomerKey) =>
    erp.customerInfo(connectionId, organizationErpId, key, { signal, isHurried });

  try {
    if ('erpCustomerId' in client) return await ask({ id: client.erpCustomerId });
    if (knownId === null) return await ask(client);
    const info = await ask({ id: knownId });
    if (hasPhoneStill(info, client.phone)) return info;
    const other = await ask(client);

    return other.outcome === 'FOUND' && !other.customer.isGone ? other : info;
  } catch (error) {
    if (signal.aborted || isErpFailure(error)) return null;
    throw error;
  }
}

function hasPhoneStill(info: ErpCustomerInfo, phone: string): boolean {
  if (info.outcome === 'LOYALTY_OFF') return true;
  if (info.outcome === 'NOT_FOUND' || info.customer.isGone) return false;
  const now = info.customer.phone === null ? null : normalPhone(info.customer.phone);
  return now === null || now === phone;
}
