/** The restaurant of a tab, and its time zone. */
export type RestaurantProps = { id: number; zone: string };
