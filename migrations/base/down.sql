-- Drops everything that the other files create.

drop view
  unsold_item, menu_of_organization, live_menu, enabled_menu, served_organization, importable_connection;

-- One statement: two tables of gifts refer to each other.
drop table
  geocoder_answer, delivery_address, zone_override, delivery_zone_view, erp_choices, order_sending,
  payment_method, guest_notice, expectation_rule, schedule_exception, ordering_schedule, ordering_config,
  gift_reconciliation, terminal_alive, order_revision, discount_use, order_move, order_line, customer_order,
  order_quote, promocode, discount, composition_rule, service_role_list, service_role, cart,
  unauthorized_gift, erp_gift_line, erp_gift_order, client_history, compensation_candidate,
  compensation_conflict, marker_clearing, client_marker, client_card, compensation_move, compensation,
  compensation_client, reward_former_dish, reward, snapshot_pin, snapshot_revision, snapshot,
  binding_evaluation, binding_history, binding_incident, catalog_modifier_profile,
  catalog_modifier_group_profile, catalog_item_triage, catalog_item_binding, catalog_variant,
  catalog_product_visibility, catalog_product_badge, catalog_product_category, catalog_product_image,
  catalog_product_slug, catalog_product, catalog_badge, catalog_variant_option, catalog_variant_axis,
  catalog_category_slug, catalog_category, webhook_event, snapshot_request, stage_link, stage_group,
  stage_price, stage_size, stage_placement, stage_item, stage_menu_category, stage_product_category,
  mirror_zone_terms, mirror_delivery_zone, mirror_delivery_defaults, mirror_stop_list_state, mirror_stop_list,
  mirror_modifier_link, mirror_modifier_group, mirror_price, mirror_size_menu, mirror_item_size,
  mirror_item_placement, mirror_item_menu, mirror_item, mirror_menu_category, mirror_product_category,
  mirror_price_category, external_menu_setting, import_pause, sync_shrink_acceptance, mirror_external_menu,
  mirror_terminal_group, mirror_organization, mirror_reconciled, schedule_paused_elsewhere, sync_run,
  erp_refusal, erp_hold, erp_circuit, erp_token, erp_rate_limit, webhook_secret, connection, legal_entity,
  franchisee, media_claim, media_retired, media, setting, notification, personal_data, security_event,
  audit_seal, audit_entry, access_signing_key, access_sign_on, access_session, access_second_factor,
  access_identity, access_user_role, access_role, access_user, running_process, window_count, idempotency_key,
  outbox;

drop function
  security_event_append_only, connection_kept, compensation_redeemed_stays, compensation_never_deleted,
  compensation_moves_by_steps, compensation_move_append_only, catalog_product_slug_taken,
  catalog_category_slug_taken, binding_incident_kept, audit_seal_append_only, audit_entry_append_only;

drop sequence sync_run_id_seq;
