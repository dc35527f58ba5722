export type RestaurantProps = { id: number; zone: string };
