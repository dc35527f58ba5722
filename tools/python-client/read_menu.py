"""Reads a menu through the generated package `storefront` and prints as JSON what it has got.

Ends with an error when an answer, or a part of one, is not of the type that the description names. The address of the API is the argument.
"""

import json
import sys
from datetime import datetime
from uuid import UUID

from storefront import Client
from storefront.api.menu import get_categories, get_menu, get_product_card
from storefront.api.organizations import list_organizations
from storefront.models import (
    CategoryNode,
    CategoryTree,
    Image,
    Menu,
    MenuCategory,
    MenuModifier,
    MenuModifierGroup,
    MenuProduct,
    MenuVariant,
    Organization,
    OrganizationPage,
    Problem,
    ProductCard,
    ProductCardVariant,
)


def of(expected, value):
    if type(value) is not expected:
        raise TypeError(f"{expected.__name__} was expected and {value!r} was read")
    return value


def each_of(expected, values):
    return [of(expected, value) for value in of(list, values)]


def levels(nodes):
    """How deep the tree is; each of its nodes is of the one type that the tree is made of."""
    return max((1 + levels(each_of(CategoryNode, node.children)) for node in nodes), default=0)


def read(client):
    organizations = each_of(Organization, of(OrganizationPage, list_organizations.sync(client=client)).items)
    organization_id = of(UUID, organizations[0].id)

    menu = of(Menu, get_menu.sync(client=client, organization_id=organization_id))
    of(datetime, menu.generated_at)
    each_of(MenuCategory, menu.categories)
    products = each_of(MenuProduct, menu.products)
    variants = [variant for product in products for variant in each_of(MenuVariant, product.variants)]
    for product in products:
        of(Image, product.images.main)
    for variant in variants:
        of(float, variant.price)
    groups = each_of(MenuModifierGroup, menu.modifier_groups)
    modifiers = [modifier for group in groups for modifier in each_of(MenuModifier, group.modifiers)]

    tree = of(CategoryTree, get_categories.sync(client=client, organization_id=organization_id))
    card = of(
        ProductCard, get_product_card.sync(client=client, slug=products[0].slug, organization_id=organization_id)
    )
    each_of(ProductCardVariant, card.variants)
    refusal = of(
        Problem, get_product_card.sync(client=client, slug="no-such-product", organization_id=organization_id)
    )
    return {
        "organization": organizations[0].name,
        "products": len(products),
        "variants": len(variants),
        "modifiers": len(modifiers),
        "categoryLevels": levels(each_of(CategoryNode, tree.items)),
        "card": card.name,
        "refusal": refusal.type_,
    }


print(json.dumps(read(Client(base_url=sys.argv[1] + "/api/v1"))))
