import { describe, expect, test } from '@jest/globals';
import {
  BULK_ACTION_NAMES,
  BULK_ACTIONS,
  payloadErrors,
} from '../../../modules/catalog/rules/bulk-actions.ts';
import {
  EMPTY_CONTENT,
  type ProductContent,
} from '../../../modules/catalog/rules/product-content.ts';

const NOTHING = { categoryId: 0, badgeIds: [], isVisible: true, organizationIds: null };
const edited = (
  action: 'ADD_TO_CATEGORY' | 'REMOVE_FROM_CATEGORY' | 'SET_BADGES' | 'SET_VISIBILITY',
  before: Partial<ProductContent>,
  payload: Partial<Parameters<(typeof BULK_ACTIONS)['SET_VISIBILITY']['edit']>[1]>,
) => BULK_ACTIONS[action].edit({ ...EMPTY_CONTENT, ...before }, { ...NOTHING, ...payload });

describe('a bulk action', () => {
  test('adds a category after the others, once', () => {
    expect(edited('ADD_TO_CATEGORY', { categoryIds: [3, 1] }, { categoryId: 2 })).toEqual({
      categoryIds: [3, 1, 2],
    });
    expect(edited('ADD_TO_CATEGORY', { categoryIds: [3, 1] }, { categoryId: 1 })).toEqual({
      categoryIds: [3, 1],
    });
  });

  test('removes a category', () => {
    expect(edited('REMOVE_FROM_CATEGORY', { categoryIds: [3, 1] }, { categoryId: 3 })).toEqual({
      categoryIds: [1],
    });
  });

  test('replaces the badges', () => {
    expect(edited('SET_BADGES', { badgeIds: [1] }, { badgeIds: [2, 3] })).toEqual({
      badgeIds: [2, 3],
    });
  });

  test('shows or hides a product in some organizations and changes no others', () => {
    const organizationVisibility = [
      { organizationId: 1, isVisible: true },
      { organizationId: 2, isVisible: true },
    ];

    expect(
      edited(
        'SET_VISIBILITY',
        { organizationVisibility },
        { isVisible: false, organizationIds: [2, 3] },
      ),
    ).toEqual({
      organizationVisibility: [
        { organizationId: 1, isVisible: true },
        { organizationId: 2, isVisible: false },
        { organizationId: 3, isVisible: false },
      ],
    });
  });

  test('shows or hides a product everywhere if no organizations are given', () => {
    const organizationVisibility = [{ organizationId: 1, isVisible: true }];

    expect(edited('SET_VISIBILITY', { organizationVisibility }, { isVisible: false })).toEqual({
      isVisible: false,
      organizationVisibility: [],
    });
  });
});

describe('the payload of a bulk action', () => {
  const errors = (...given: Parameters<typeof payloadErrors>) =>
    payloadErrors(...given).map(({ field, code }) => `${field} ${code}`);
  const whole = { categoryId: 1, badgeIds: [], isVisible: true, organizationIds: [1] };

  test('requires the fields of the action', () => {
    expect(
      BULK_ACTION_NAMES.flatMap((action) =>
        errors(action, {}).map((error) => `${action}: ${error}`),
      ),
    ).toEqual([
      'ADD_TO_CATEGORY: payload.categoryId required',
      'REMOVE_FROM_CATEGORY: payload.categoryId required',
      'SET_BADGES: payload.badgeIds required',
      'SET_VISIBILITY: payload.isVisible required',
    ]);
  });

  test('contains no other fields', () => {
    expect(errors('PUBLISH', { isVisible: true })).toEqual(['payload.isVisible unknown_field']);
    expect(errors('SET_BADGES', whole)).toEqual([
      'payload.categoryId unknown_field',
      'payload.isVisible unknown_field',
      'payload.organizationIds unknown_field',
    ]);
  });

  test('allows the optional fields of the action, and ignores a field without a value', () => {
    expect(errors('SET_VISIBILITY', { isVisible: false, organizationIds: [1] })).toEqual([]);
    expect(errors('SET_VISIBILITY', { isVisible: false })).toEqual([]);
    expect(errors('ARCHIVE', { categoryId: undefined } as never)).toEqual([]);
    expect(errors('SET_BADGES', { badgeIds: undefined } as never)).toEqual([
      'payload.badgeIds required',
    ]);
  });
});
