/** What the words of guests in carts are encrypted for. */
export const COMMENTS_PURPOSE = 'cart.comments';
