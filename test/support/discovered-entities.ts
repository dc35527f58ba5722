import { MetadataDiscovery, type MetadataStorage } from '@mikro-orm/core';

/**
 * A process of the product opens one database, one of tests hundreds of them, each with the same entities. What the ORM finds out of their declarations is
 * found out once: that was a twelfth of what the tests over HTTP compute.
 */
const discover = MetadataDiscovery.prototype.discover;
let found: Promise<MetadataStorage> | undefined;

MetadataDiscovery.prototype.discover = function discoverOnce(this: MetadataDiscovery, ...args) {
  found ??= discover.apply(this, args);
  return found;
};
