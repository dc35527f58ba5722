import { seedDemo } from '../../../packages/demo/seed/seed.ts';
import { SMALL_PICTURES } from '../../../packages/demo/seed/shop.ts';
import { startCustomerProvider } from '../../../packages/erp-emulator/customers/provider.ts';
import type { AdminClient } from '../../support/admin-client.ts';
import {
  prepareProduct,
  type Product,
  type RunningApi,
  type RunningWorker,
} from '../../support/product.ts';

export type ConsoleProduct = {
  product: Product;
  api: RunningApi;
  worker: RunningWorker;
  admin: AdminClient;
  stop: () => Promise<void>;
};

/** Size `demo` adds a failed order, an incident and a rejected import. */
export async function startConsoleProduct(size: 'small' | 'demo'): Promise<ConsoleProduct> {
  const customers = await startCustomerProvider({ host: '127.0.0.1', port: 0, audience: 'carte' });
  const product = await prepareProduct({
    size,
    env: {
      ORDER_WATCH_EVERY: '2s',
      CUSTOMER_ISSUER: customers.issuer,
      CUSTOMER_AUDIENCE: 'carte',
      WEBHOOK_PRIVATE_RECEIVERS: 'on',
    },
  });
  const stop = async () => {
    await product.stop();
    await customers.stop();
  };
  try {
    const [worker, api] = await Promise.all([product.startWorker(), product.startApi()]);
    await seedDemo({
      baseUrl: api.url,
      ...product.administrator,
      apiLogin: product.emulator.apiLogin,
      pictures: SMALL_PICTURES,
      customersUrl: customers.issuer,
      emulatorUrl: product.emulator.url,
      log: () => undefined,
    });
    await product.settled();
    return { product, api, worker, admin: await product.signIn(api), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
