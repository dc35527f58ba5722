import type { Client } from '@temporalio/client';
import { createKnownKeys, type KnownKeys } from '../modules/access/api-keys/known-keys.ts';
import { createKeyring, type Keyring } from '../modules/access/keyring.ts';
import {
  createCustomerTokens,
  guestIdentities,
  type GuestIdentities,
} from '../modules/access/customers/customer-tokens.ts';
import { BINDING_WATCH } from '../modules/binding/binding-history.ts';
import { createDishFacts, type DishFacts } from '../modules/ordering/cart/dish-facts.ts';
import { createOrderWatch, type OrderWatch } from '../modules/ordering/orders/order-watch.ts';
import { guestAccess } from '../modules/ordering/cart/cart-access.ts';
import type { Product } from '../modules/wire-product.ts';
import { createGeocoder } from '../modules/delivery/addresses/geocoder.ts';
import { openMediaStore } from '../platform/open-media-store.ts';
import type { Documents } from '../modules/menus/storefront/documents.ts';
import {
  createMenuStore,
  documentsOf,
  loadedDocuments,
  type MenuStore,
} from '../modules/menus/storefront/menu-store.ts';
import type { ProductIssue } from '../modules/catalog/products/list-products.ts';
import type { VariantWatch } from '../modules/catalog/commit-edit.ts';
import type { Database } from '../platform/db/database.ts';
import { createClientCards, type ClientCards } from '../modules/gifts/cards/client-cards.ts';
import {
  createAddressSearch,
  type AddressSearch,
} from '../modules/delivery/addresses/address-search.ts';
import { geocoderBudget } from '../modules/delivery/addresses/geocoder-budget.ts';
import type { ErpStreets } from '../modules/delivery/addresses/erp-streets.ts';
import { createErpServing, type ErpServing } from '../modules/delivery/zones/erp-serving.ts';
import { createDeliveryMaps, type DeliveryMaps } from '../modules/delivery/zones/delivery-map.ts';
import {
  createFacetCatalogs,
  type FacetCatalogs,
} from '../modules/menus/storefront/facet-catalog.ts';
import { createMenuViews, type MenuView } from '../modules/menus/storefront/menu-views.ts';
import {
  createFulfillmentStore,
  type Clocks,
  type FulfillmentStore,
} from '../modules/delivery/hours/fulfillment-store.ts';
import type { SchedulePlan } from '../modules/mirror/schedules/schedule-plan.ts';
import { createMedia, type MediaDeps } from '../modules/media/media-uses.ts';
import type { Queues } from '../kernel/pure/queues.ts';
import type { Env } from '../modules/env.ts';
import { createIdentityProvider, type IdentityProvider } from '../platform/identity-provider.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { WebhookSender } from '../platform/webhook-sender.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { createEventStreams, type EventStreams } from './http/live/event-streams.ts';
import { createStaffStreams, type StaffStreams } from './http/live/staff-streams.ts';
import { createStaffFeed } from '../modules/sync-status/staff-feed/staff-feed.ts';

/**
 * Everything a handler may reach. `createDeps` fills it; a capability that needs more adds its port
 * here.
 */
export type Deps = {
  db: Database;
  env: Env;
  log: Log;
  metrics: Metrics;
  secrets: SecretBox;
  /** Files of images, and the bounded room for images in work. */
  media: MediaDeps['media'];
  /** Reaction of bindings when staff add or remove variants. */
  variantWatch: VariantWatch;
  /** Problems with dishes of products that need staff. */
  productIssues: readonly ProductIssue[];
  /** Keys of access and refresh tokens. */
  keyring: Keyring;
  /** API keys of machine accounts and storefronts. */
  apiKeys: KnownKeys;
  /** The provider for sign-in without a password of ours; null when none is configured. */
  identityProvider: IdentityProvider | null;
  /** Customers and carts of the storefront API. */
  guests: GuestIdentities;
  /** Connected Temporal client; only use cases that start or signal workflows use it. */
  temporal: Client;
  queues: Queues;
  /**
   * The published menu of one organization, for the smaller public answers; throws the problems of
   * `/menu`.
   */
  readMenuView: (erpId: string | undefined) => Promise<MenuView>;
  /** The menu of an organization, or of the only one, if it is in memory. */
  loadedMenu: (erpId: string | undefined) => Documents | undefined;
  /** The filters of the catalog. */
  facetCatalogs: FacetCatalogs;
  /** Opening hours and order intake of served organizations, from memory. */
  clocks: Clocks;
  /** Open event streams of this process. */
  streams: EventStreams;
  /** Open streams of staff, which are among `streams`. */
  staffStreams: StaffStreams;
  /** Number of running exports of this process. */
  exports: { running: number };
  orderWatch: OrderWatch;
  /** Delivery zones of all organizations. */
  deliveryMaps: DeliveryMaps;
  /** Finds points of addresses; null when no geocoder is configured. */
  addressSearch: AddressSearch | null;
  /** Dishes of carts. */
  dishFacts: DishFacts;
  /** Promises of the ERP to customers. */
  clientCards: ClientCards;
  /** Calls to the ERP. Requests of guests do not wait for it without a time limit. */
  erp: Product['erp'];
  /** The organizations that deliver to a point according to the ERP. */
  erpServing: ErpServing;
  /** Streets of the ERP. */
  erpStreets: ErpStreets;
  /** Sends one message to the receiver of a webhook endpoint. */
  sendWebhook: WebhookSender;
  /** The schedule interval of each import; missed runs are measured by it. */
  intervals: SchedulePlan['jobs'];
};

/**
 * The dependencies of handlers, with the buffers of menus that `/menu` is served from. Neither
 * those nor `clocks` are started: they load menus on request by uuid.
 */
export async function createDeps(
  product: Product,
): Promise<{ deps: Deps & { clocks: FulfillmentStore }; menus: MenuStore }> {
  const { db, env, log, metrics, secrets, erp } = product;
  const menus = createMenuStore({ db, log, metrics, pollMs: env.SNAPSHOT_POLL });
  const viewOf = createMenuViews();
  const geocoder = createGeocoder(env, { metrics, takeCall: geocoderBudget(db.prepared, env) });
  const streams = createEventStreams({ env, metrics });
  const apiKeys = createKnownKeys({ db, log });
  const feed = createStaffFeed({ db, log });
  const deps = {
    ...product,
    media: createMedia({ store: await openMediaStore(env), uses: product.mediaUses }),
    variantWatch: BINDING_WATCH,
    keyring: createKeyring({ db, secrets }),
    apiKeys,
    identityProvider: createIdentityProvider(env),
    guests: guestIdentities(
      createCustomerTokens(env, { log, metrics }),
      guestAccess(db.prepared, secrets),
    ),
    intervals: product.plan.jobs,
    readMenuView: async (erpId: string | undefined) => viewOf(await documentsOf(menus, erpId)),
    loadedMenu: (erpId: string | undefined) => loadedDocuments(menus, erpId),
    clocks: createFulfillmentStore({ db, env, log, pollMs: env.SNAPSHOT_POLL }),
    streams,
    staffStreams: createStaffStreams({ db, env, log, feed, streams, apiKeys }),
    exports: { running: 0 },
    orderWatch: createOrderWatch({ db, log }),
    deliveryMaps: createDeliveryMaps(db),
    facetCatalogs: createFacetCatalogs(db),
    addressSearch: geocoder === null ? null : createAddressSearch({ db, geocoder, env }),
    erpServing: createErpServing({ erp, log }),
    dishFacts: createDishFacts(),
    clientCards: createClientCards({ db, erp, secrets, log }),
  };
  return { deps, menus };
}
