import type { IncomingMessage } from 'node:http';
import type { Deps } from '../../deps.ts';
import { parseTrustedProxies } from '../../../platform/trusted-proxies.ts';
import { clientHop } from '../client-address.ts';
import type { HttpMiddleware } from '../context.ts';

/** A smaller number of such requests may come from probes and scanners. */
const ENOUGH = 10;

const isPrivate = parseTrustedProxies('private');

const FINDINGS = {
  tooFew:
    'Requests of many clients count as one: TRUST_PROXY does not cover a proxy of the own network. See the procedure "Many are refused with 429 at once".',
  tooMany:
    'Clients could choose the address they count as: TRUST_PROXY covers more proxies than requests pass. See the procedure "Many are refused with 429 at once".',
};

/**
 * Returns how the request contradicts TRUST_PROXY, or null. `tooFew`: an untrusted private host
 * forwards a client's address. `tooMany`: a public address counts as a proxy but forwards no
 * client's address.
 */
export function proxyContradiction(
  request: IncomingMessage,
  env: Pick<Deps['env'], 'TRUST_PROXY'>,
): keyof typeof FINDINGS | null {
  const { address, isProxy, namesAnother } = clientHop(request, env.TRUST_PROXY);
  if (isPrivate(address, 0)) return !isProxy && namesAnother ? 'tooFew' : null;
  return isProxy ? 'tooMany' : null;
}

/** Compares TRUST_PROXY with requests (rule HTTP-29). Logs each contradiction once. */
export function proxyCheck({ env, log }: Pick<Deps, 'env' | 'log'>): HttpMiddleware {
  const counts = { tooFew: 0, tooMany: 0 };
  return async (ctx, next) => {
    const finding = proxyContradiction(ctx.req, env);
    if (finding !== null && (counts[finding] += 1) === ENOUGH)
      log.warn({ contradiction: finding }, FINDINGS[finding]);
    await next();
  };
}
