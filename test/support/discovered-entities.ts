import { MetadataDiscovery, type MetadataStorage } from '@mikro-orm/core';

type Discover = (this: MetadataDiscovery, preferTs?: boolean) => Promise<MetadataStorage>;

/**
 * A process of the product opens one database, one of tests hundreds of them, each with the same
 * entities. What the ORM detects of their declarations is detected once: that was a twelfth of
 * what the tests over HTTP compute.
 */
const prototype: { discover: Discover } = MetadataDiscovery.prototype;
const { discover } = prototype;
let found: Promise<MetadataStorage> | undefined;

prototype.discover = function discoverOnce(preferTs) {
  found ??= discover.call(this, preferTs);
  return found;
};
