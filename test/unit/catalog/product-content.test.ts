import { describe, expect, test } from '@jest/globals';
import {
  changedFields,
  contentErrors,
  EMPTY_CONTENT,
  mergeContent,
  organizationsThatDiffer,
  type ContentEdit,
  type ContentFacts,
  type ProductContent,
} from '../../../modules/catalog/rules/product-content.ts';
import type { ProductStatus } from '../../../modules/catalog/rules/states.ts';

const CONTENT: ProductContent = {
  ...EMPTY_CONTENT,
  name: 'Soup',
  slug: 'soup',
  subtitle: 'Hot',
  mainImageId: 1,
  hoverImageId: 2,
  variantAxisId: 5,
  gallery: [3, 1],
  categoryIds: [9, 2, 4],
  badgeIds: [8, 7],
  organizationVisibility: [{ organizationId: 1, isVisible: false }],
};
const visibleIn = (...organizations: [number, boolean][]) =>
  organizations.map(([organizationId, isVisible]) => ({ organizationId, isVisible }));

describe('the content of a product after an edit', () => {
  test('remains unchanged in all fields that the edit omits', () => {
    expect(mergeContent(CONTENT, {})).toEqual(CONTENT);
    expect(mergeContent(CONTENT, { name: 'Broth' })).toEqual({ ...CONTENT, name: 'Broth' });
  });

  test('equals that of a new product in all fields that the edit clears', () => {
    const cleared = Object.fromEntries(Object.keys(CONTENT).map((field) => [field, null]));

    expect(mergeContent({ ...CONTENT, isVisible: false }, cleared)).toEqual({
      name: '',
      slug: '',
      subtitle: null,
      description: null,
      composition: null,
      seoTitle: null,
      seoDescription: null,
      mainImageId: null,
      hoverImageId: null,
      variantAxisId: null,
      isVisible: true,
      gallery: [],
      categoryIds: [],
      badgeIds: [],
      organizationVisibility: [],
    });
  });

  test.each<[string, ContentEdit, Partial<ProductContent>]>([
    ['a name without blanks around it', { name: ' Soup\n' }, { name: 'Soup' }],
    [
      'a text without blanks around it',
      { subtitle: ' Hot ', seoTitle: ' x' },
      { subtitle: 'Hot', seoTitle: 'x' },
    ],
    [
      'no text of blanks',
      { description: ' \n', composition: '' },
      { description: null, composition: null },
    ],
    [
      'the first category first and the others by id',
      { categoryIds: [9, 12, 3] },
      { categoryIds: [9, 3, 12] },
    ],
    ['no category', { categoryIds: [] }, { categoryIds: [] }],
    [
      'pictures and badges in their order',
      { gallery: [9, 1], badgeIds: [3, 1] },
      { gallery: [9, 1], badgeIds: [3, 1] },
    ],
    [
      'organizations by id',
      { organizationVisibility: visibleIn([12, true], [3, false]) },
      { organizationVisibility: visibleIn([3, false], [12, true]) },
    ],
  ])('contains %s', (_, edit, expected) => {
    expect(mergeContent(EMPTY_CONTENT, edit)).toEqual({ ...EMPTY_CONTENT, ...expected });
  });

  test('differs in the changed fields only, by value', () => {
    expect(changedFields(CONTENT, { ...CONTENT, gallery: [3, 1] })).toEqual([]);
    expect(
      changedFields(CONTENT, { ...CONTENT, gallery: [1, 3], name: 'Broth', isVisible: false }),
    ).toEqual(['name', 'isVisible', 'gallery']);
  });
});

const FACTS: ContentFacts = {
  media: new Set([1, 2, 3]),
  categories: new Set([2, 4, 9]),
  badges: new Set([7, 8]),
  axes: new Set([5, 6]),
  organizations: new Set([1]),
  axesOfVariants: new Set(),
};
const errors = (
  edit: ContentEdit,
  {
    before = CONTENT,
    status = 'PUBLISHED',
    ...facts
  }: Partial<ContentFacts> & { before?: ProductContent; status?: ProductStatus } = {},
) =>
  contentErrors(
    { before, given: edit, after: mergeContent(before, edit), status },
    { ...FACTS, ...facts },
  ).map(({ field, code }) => `${field} ${code}`);

describe('an edit of a product', () => {
  test.each<[string, ContentEdit]>([
    ['of nothing', {}],
    ['that names what there is', { ...CONTENT, variantAxisId: 6 }],
    [
      'that clears what guests can do without',
      { hoverImageId: null, variantAxisId: null, badgeIds: null, gallery: null },
    ],
  ])('accepts %s', (_, edit) => {
    expect(errors(edit)).toEqual([]);
  });

  test.each<[ContentEdit, string[]]>([
    [{ mainImageId: 99 }, ['mainImageId not_found']],
    [{ hoverImageId: 99 }, ['hoverImageId not_found']],
    [{ variantAxisId: 99 }, ['variantAxisId not_found']],
    [{ gallery: [1, 99, 1] }, ['gallery.1 not_found', 'gallery.2 duplicate']],
    [{ categoryIds: [2, 99, 2] }, ['categoryIds.1 not_found', 'categoryIds.2 duplicate']],
    [{ badgeIds: [99, 7, 7] }, ['badgeIds.0 not_found', 'badgeIds.2 duplicate']],
    [
      { organizationVisibility: visibleIn([99, true], [1, true], [1, false]) },
      [
        'organizationVisibility.0.organizationId not_found',
        'organizationVisibility.2.organizationId duplicate',
      ],
    ],
  ])('rejects unknown and repeated references: %j', (edit, expected) => {
    expect(errors(edit)).toEqual(expected);
  });

  test('may keep the references of the product, including deleted ones', () => {
    const gone = { media: new Set<number>(), axes: new Set<number>(), categories: new Set([2]) };

    expect(
      errors({ mainImageId: 1, hoverImageId: 2, variantAxisId: 5, categoryIds: [9, 2, 4] }, gone),
    ).toEqual([]);
    expect(errors({ mainImageId: 2 }, gone)).toEqual(['mainImageId not_found']);
  });

  test.each<[string, ContentEdit, ProductStatus, string[]]>([
    ['a name', { name: ' ' }, 'DRAFT', ['name required']],
    [
      'the main image of what guests see',
      { mainImageId: null },
      'PUBLISHED',
      ['mainImageId required'],
    ],
    [
      'all categories of what guests see',
      { categoryIds: [] },
      'PUBLISHED',
      ['categoryIds required'],
    ],
    ['the rest of what guests do not see', { mainImageId: null, categoryIds: [] }, 'DRAFT', []],
  ])('validates the removal of %s', (_, edit, status, expected) => {
    expect(errors(edit, { status })).toEqual(expected);
  });

  test('requires nothing that the product did not have before', () => {
    const before = { ...CONTENT, mainImageId: null, categoryIds: [] };

    expect(errors({ name: 'Broth' }, { before })).toEqual([]);
  });

  test.each<[string, ContentEdit, number[], string[]]>([
    ['that its variants do not have', { variantAxisId: 6 }, [5], ['variantAxisId in_use']],
    ['away while variants have options', { variantAxisId: null }, [5], ['variantAxisId in_use']],
    ['that all of its variants have', { variantAxisId: 6 }, [6], []],
    ['that some of its variants have', { variantAxisId: 6 }, [6, 5], ['variantAxisId in_use']],
    ['that it has', { variantAxisId: 5 }, [6], []],
  ])('validates the change to an axis %s', (_, edit, axes, expected) => {
    expect(errors(edit, { axesOfVariants: new Set(axes) })).toEqual(expected);
  });
});

describe('an edit of the visibility of a product', () => {
  type Visibility = [isVisible: boolean, ...named: [number, boolean][]];
  const content = ([isVisible, ...named]: Visibility) => ({
    ...CONTENT,
    isVisible,
    organizationVisibility: visibleIn(...named),
  });

  test.each<[string, Visibility, Visibility, number[]]>([
    ['to another one', [true, [1, true]], [true, [1, false]], [1]],
    [
      'to another one, of several that are named',
      [true, [1, true], [2, true]],
      [true, [1, true], [2, false]],
      [2],
    ],
    ['from what holds for all', [true], [true, [2, false]], [2]],
    ['back to what holds for all', [true, [2, false]], [true], [2]],
    ['to what holds for all anyway', [true], [true, [2, true]], []],
    ['by id', [true], [true, [12, false], [3, false]], [3, 12]],
  ])('affects the organizations whose visibility changes %s', (_, before, after, expected) => {
    expect(organizationsThatDiffer(content(before), content(after))).toEqual(expected);
  });
});
