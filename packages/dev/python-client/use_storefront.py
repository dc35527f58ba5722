"""Reads a menu through the generated package `storefront`, places an order when asked, and prints as JSON what it has got.

Ends with an error when an answer, or a part of one, is not of the type that the description names. Arguments: the URL of the API, and
`--order` to order what was read for pickup, paid in cash.
"""

import json
import sys
from datetime import datetime
from uuid import UUID, uuid4

from storefront import Client
from storefront.api.cart import change_cart
from storefront.api.checkout import check_checkout
from storefront.api.menu import get_categories, get_menu, get_product_card
from storefront.api.orders import get_order, place_order
from storefront.api.organizations import list_organizations
from storefront.models import (
    Cart,
    CartLine,
    CategoryNode,
    CategoryTree,
    CheckoutFulfillment,
    CheckoutFulfillmentType,
    CheckoutQuestion,
    CheckoutVerdict,
    Image,
    Menu,
    MenuCategory,
    MenuModifier,
    MenuModifierGroup,
    MenuProduct,
    MenuVariant,
    NewOrder,
    Order,
    OrderCustomer,
    OrderLine,
    Organization,
    OrganizationPage,
    PlacedOrder,
    PostedCart,
    PostedCartLine,
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
    return organization_id, variants, {
        "organization": organizations[0].name,
        "products": len(products),
        "variants": len(variants),
        "modifiers": len(modifiers),
        "categoryLevels": levels(each_of(CategoryNode, tree.items)),
        "card": card.name,
        "refusal": refusal.type_,
    }


def order(client, organization_id, variant):
    """Two of a variant, as a guest orders them: a cart, the question whether it can be ordered, the order, and how it goes on."""
    line = PostedCartLine(variant_id=variant.id, quantity=2, modifiers=[])
    cart = of(Cart, change_cart.sync(client=client, body=PostedCart(organization_id=organization_id, lines=[line])))
    each_of(CartLine, cart.lines)
    wanted = {
        "cart_id": cart.cart_id,
        "fulfillment": CheckoutFulfillment(
            type_=CheckoutFulfillmentType.PICKUP, organization_id=organization_id, slot_id="asap"
        ),
        "payment_method": "CASH",
    }
    verdict = of(CheckoutVerdict, check_checkout.sync(client=client, body=CheckoutQuestion(**wanted)))
    if not verdict.can_submit:
        raise RuntimeError(f"the order is blocked: {[finding.code for finding in verdict.blockers]}")
    guest = OrderCustomer(name="Anna", phone="+79990001122")
    body = NewOrder(
        **wanted, customer=guest, cart_version=verdict.cart_version, quote_id=of(UUID, verdict.quote.id)
    )
    placed = of(PlacedOrder, place_order.sync(client=client, body=body, idempotency_key=str(uuid4())))
    of(datetime, placed.created_at)
    found = of(Order, get_order.sync(client=client, order_id=placed.order_id))
    return {
        "status": found.status,
        "lines": len(each_of(OrderLine, found.lines)),
        "total": of(float, found.total),
        "cartTotal": of(float, cart.total),
    }


client = Client(base_url=sys.argv[1] + "/api/v1")
organization_id, variants, read_menu = read(client)
simple = (variant for variant in variants if not variant.modifier_group_ids)
ordered = order(client, organization_id, next(simple)) if "--order" in sys.argv[2:] else None
print(json.dumps({**read_menu, "order": ordered}))
