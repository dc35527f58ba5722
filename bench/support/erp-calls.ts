import { scrape } from '../../test/support/metrics-text.ts';
import type { Chain } from './chain.ts';

/** Classes of ERP calls (ERP-24) by path prefix. The first match applies. */
const CLASSES: readonly (readonly [name: string, path: string])[] = [
  ['orders', '/api/v2/access_token'],
  ['orders', '/api/1/deliveries/create'],
  ['orders', '/api/1/deliveries/by_id'],
  ['guests', '/api/1/loyalty/'],
  ['guests', '/api/1/delivery_restrictions/allowed'],
  ['changes', '/api/1/deliveries/by_revision'],
  ['changes', '/api/1/stop_lists'],
  ['rest', ''],
];

const findClass = (endpoint: string): string =>
  CLASSES.find(([, path]) => endpoint.startsWith(path))![0];

export async function erpCalls({
  apis,
  workers,
}: Pick<Chain, 'apis' | 'workers'>): Promise<Map<string, number>> {
  const samples = await Promise.all([...apis, ...workers].map(({ opsUrl }) => scrape(opsUrl)));
  const calls = new Map<string, number>();

  for (const { name, labels, value } of samples.flat()) {
    if (name !== 'erp_http_requests_total') continue;
    const endpoint = labels['endpoint'] ?? '';
    for (const key of [findClass(endpoint), endpoint])
      calls.set(key, (calls.get(key) ?? 0) + value);
  }

  return calls;
}
