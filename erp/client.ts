import type { Log } from '../platform/log.ts';
import type { CircuitName } from './breaker.ts';
import { createCaller } from './call.ts';
import { accessToken } from './endpoints/access-token.ts';
import { commandCalls } from './endpoints/commands.ts';
import { menuCalls } from './endpoints/menus.ts';
import { organizationCalls } from './endpoints/organizations.ts';
import { stopListCalls } from './endpoints/stop-lists.ts';
import { terminalGroupCalls } from './endpoints/terminal-groups.ts';
import type { ExchangeLog, ErpRequestEvent, Limiter, TokenStore } from './ports.ts';
import type { ErpCommandStatus } from './schemas/command-status.ts';
import type { ErpExternalMenu, ErpPriceCategory } from './schemas/external-menus.ts';
import type { ErpMenu } from './schemas/menu.ts';
import type { ErpOrganization } from './schemas/organizations.ts';
import type { ErpStopRow } from './schemas/stop-lists.ts';
import type { ErpTerminalGroup } from './schemas/terminal-groups.ts';

/** A validated answer and the size of its body in bytes. */
export type ErpAnswer<T> = { data: T; bytes: number };

/** An aborted call rejects with `signal.reason`; every other failure is an ErpFailure. */
export type CallOptions = { signal?: AbortSignal };

export type MenuRequest = {
  externalMenuId: string;
  organizationIds: string[];
  priceCategoryId?: string;
  startRevision?: number;
  asyncMode: boolean;
};

export type MenuAnswer = { kind: 'menu'; menu: ErpMenu } | { kind: 'pending'; correlationId: string };

/** The calls of stage 1. All are reads, so repeating one is harmless. The client repeats only after the one 401. */
export type ErpClient = {
  organizations(connectionId: number, options?: CallOptions): Promise<ErpAnswer<{ organizations: ErpOrganization[] }>>;
  terminalGroups(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpAnswer<{ terminalGroups: ErpTerminalGroup[] }>>;
  externalMenus(
    connectionId: number,
    options?: CallOptions,
  ): Promise<ErpAnswer<{ externalMenus: ErpExternalMenu[]; priceCategories: ErpPriceCategory[] }>>;
  menu(connectionId: number, request: MenuRequest, options?: CallOptions): Promise<ErpAnswer<MenuAnswer>>;
  stopLists(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpAnswer<{ rows: ErpStopRow[] }>>;
  commandStatus(
    connectionId: number,
    organizationId: string,
    correlationId: string,
    options?: CallOptions,
  ): Promise<ErpCommandStatus>;
  /** Renews the token when it ends soon; called on schedule. */
  refreshToken(connectionId: number, options?: CallOptions): Promise<void>;
};

export type ErpTimeouts = { connectMs: number; readMs: number; menuReadMs: number };

export type ErpClientOptions = {
  baseUrl: string;
  tokens: TokenStore;
  limiter: Limiter;
  log: Log;
  /** Defaults: connect 5 s, read 15 s, menu 120 s (spec 2, Limits). */
  timeouts?: Partial<ErpTimeouts>;
  /** Defaults: 50 % of the last 20 requests, open for 60 s (spec 2, Limits). */
  breaker?: { size?: number; openMs?: number };
  onRequest?: (event: ErpRequestEvent) => void;
  exchangeLog?: ExchangeLog;
};

/** A scheduled renewal leaves a token alone that still lives this long; it must exceed the schedule's interval. */
const RENEW_AHEAD_MS = 10 * 60_000;

/** The client, what its circuits look like, and its end. Nothing connects before the first call. */
export function createErpClient(
  options: ErpClientOptions,
): ErpClient & { circuit(connectionId: number): CircuitName; close(): Promise<void> } {
  const caller = createCaller(options, accessToken);
  return {
    ...organizationCalls(caller.call),
    ...terminalGroupCalls(caller.call),
    ...menuCalls(caller.call),
    ...stopListCalls(caller.call),
    ...commandCalls(caller.call),
    refreshToken: async (connectionId, callOptions) => {
      await caller.token(connectionId, { ...callOptions, minimumLifeMs: RENEW_AHEAD_MS });
    },
    circuit: (connectionId) => caller.breakers.state(connectionId),
    close: () => caller.close(),
  };
}
