import type { Proofs } from './mutation.ts';

export const EDITS: Proofs = {
  'test/integration/catalog/edits-at-once.test.ts': {
    'modules/catalog/reserve-slug.ts holdBase drop advisory.slugs':
      'two products of one name that are created concurrently receive two slugs',
    'kernel/edits.ts holdForEdit drop lockMode:': 'of two concurrent edits of one',
    'modules/catalog/products/edit-product.ts holdProduct unlock holdForEdit':
      'take the badges of the request that had to wait',
  },
  'test/http/catalog/import-texts.test.ts': {
    'modules/catalog/texts/import-texts.ts holdProducts drop .forUpdate':
      'fails after an edit that was uncommitted when the import began',
  },
  'test/integration/catalog/beside-imports.test.ts': {
    'modules/catalog/commit-edit.ts commitEdit unwrap retryConflicts':
      'a command that is aborted by a deadlock runs again',
  },
  'test/integration/catalog/products.test.ts': {
    'modules/catalog/products/edit-product.ts editProduct drop holdProduct(version)':
      'rejects an outdated version and returns the stored one, also in concurrent edits',
  },
  'test/integration/catalog/create-product.test.ts': {
    'modules/catalog/variants/claim-items.ts claimItems false claimed.length':
      'goes to exactly one of many concurrent requests',
    'modules/catalog/variants/claim-items.ts claimItems drop on conflict':
      'makes the second of two concurrent requests wait, fail and leave nothing',
    'modules/catalog/variants/claim-items.ts claimItems drop do update':
      'produces a conflict even if the product releases it at that moment',
  },
  'test/http/base/idempotency.test.ts': {
    'kernel/idempotency.ts findAnswer drop advisory.tryIdempotencyKey':
      'causes 409 for a concurrent repetition, which does not disturb the request',
    'kernel/idempotency.ts findAnswer false answer':
      'returns the same answer for the same key and body, and creates one row',
  },
  'test/http/media/media.test.ts': {
    'modules/media/media-rows.ts insertMedia drop .onConflict':
      'creates one media for equal content, also in concurrent uploads',
    'modules/media/media-files.ts storeFiles unwrap deps.media.pool.execute':
      'a full pool rejects new pictures with Retry-After and still answers for stored ones',
  },
  'test/http/access/api-keys.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:': [
      'leave one current token after two rotations',
      'end without a valid token after a rotation and a revocation',
    ],
  },
  'test/http/access/session.test.ts': {
    'modules/access/refresh.ts rotate drop .where session.counter':
      'returns the same successor to two tabs, even concurrently',
    'modules/access/refresh.ts refresh drop endReused()':
      'ends the session when an old cookie comes back later',
    'modules/access/refresh.ts twin drop .where session.rotatedAt':
      'ends the session when an old cookie comes back later',
  },
  'test/integration/access/keys-and-seeds.test.ts': {
    'modules/access/keyring.ts createKey drop .onConflict':
      'exist as one pair per purpose after many instances start concurrently',
    'modules/access/ensure-administrator.ts ensureAdministrator drop lockAdministrators()':
      'create one administrator in two concurrent starts with different e-mails',
    'modules/access/ensure-roles.ts ensureRoles drop .where access_role.code':
      'create roles once, keep edited ones and give ADMIN every permission',
  },
  'test/integration/catalog/at-once.test.ts': {
    'modules/catalog/products/move-product.ts moveAll drop .forUpdate':
      'a product that is archived during its publication stays archived',
    'modules/catalog/products/edit-product.ts holdProduct unlock holdForEdit':
      'the removal of the main image during a publication of the product blocks it',
    'modules/catalog/categories/category-nesting.ts lockCategoryTree drop advisory.categoryTree':
      'fails if the category is archived first',
    'modules/catalog/categories/archive-category.ts archiveCategory unlock holdForEdit':
      'keeps the category from being archived if it is put there first',
    'modules/catalog/products/product-content.ts category drop .forShare':
      'fails if the category is archived first',
    'modules/media/media-rows.ts existingMedia drop .forKeyShare':
      'a picture that is deleted during its use is not found',
  },
  'test/integration/catalog/category-life.test.ts': {
    'modules/catalog/categories/category-nesting.ts lockCategoryTree drop advisory.categoryTree':
      'never becomes a circle through concurrent moves that are harmless alone',
  },
  'test/integration/access/login-throttle.test.ts': {
    'kernel/window-count.ts countInWindow drop + 1':
      'as many concurrent guesses pass as sequential ones',
  },
  'test/http/access/single-sign-on.test.ts': {
    'modules/access/sign-on/finish-sign-on.ts takeSignOn keep db.deleteFrom access_sign_on':
      'succeeds for one of many concurrent calls with one state',
    'modules/access/user-fields.ts insertUser drop .onConflict':
      'creates one linked user in two concurrent first sign-ons',
    'modules/access/sign-on/user-of-identity.ts link drop .onConflict':
      'creates one linked user in two concurrent first sign-ons',
  },
  'test/http/access/users.test.ts': {
    'modules/access/administrators.ts lockAdministrators drop advisory.administrators':
      'remains, however many users remove the role from each other concurrently',
    'modules/access/login.ts isStill drop .forShare':
      'cannot sign in with the old password while a new one',
  },
  'test/integration/catalog/addresses.test.ts': {
    'refusal catalog_product_slug_taken': 'goes to one of many concurrent requests',
    'modules/catalog/reserve-slug.ts holdSlug drop holdBase()':
      'receives a suffix if another product is just taking the address of the name',
    'modules/catalog/reserve-slug.ts holdSlug drop [slug.replace()]':
      'never collides with the suffix of a concurrent one if the name ends in a number',
  },
  'test/integration/catalog/bulk.test.ts': {
    'modules/catalog/products/bulk-products.ts attempt drop ….execute()':
      'leave other products unaffected by a locked product and by one that fails',
    'modules/catalog/products/edit-product.ts holdProduct unlock holdForEdit':
      'lose no change of each other',
  },
  'test/integration/catalog/reference-data-races.test.ts': {
    'modules/catalog/products/product-content.ts badge drop .forKeyShare':
      'a badge that is deleted during its assignment is not found, and nothing is stored',
    'kernel/edits.ts saveKeyed true old.version =':
      'one of two competing profiles of a modifier is stored',
  },
};

export const MEDIA: Proofs = {
  'test/integration/media/pictures.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:':
      'survives if a product begins to show it before the deletion',
    'modules/media/update-media.ts updateMedia drop seen:':
      'succeeds in one of two concurrent edits, and the other receives the version',
  },
  'test/integration/media/sweep.test.ts': {
    'modules/media/claims.ts claimForRemoval true media_claim.until <':
      'keeps its files if it began first, although no row has them yet',
    'modules/media/claims.ts claimForWriting true media_claim.purpose =':
      'fails as busy while the sweep removes the files, and writes them again later',
    'modules/media/sweep-media.ts removeClaimed false failed':
      'keeps its lease after an interruption until it expires, and then removes the remaining files',
    'modules/media/sweep-media.ts removeClaimed unwrap withoutRow':
      'keeps a file whose row appears between the selection and the lease',
  },
};
