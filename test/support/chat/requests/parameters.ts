/**
 * The meaning of the parameters of chat's API, by name: which name an object of an organisation, and a valid value for
 * the others. A new route whose parameters have known names is tested with other organisations' objects without an
 * entry here.
 */
import { pushAddress } from '../../push-address';
import type { Things } from './things';

type Value = (things: Things) => unknown;

const stream: Value = (things) => things.stream;
const streamId: Value = (things) => things.stream_id;

/** Each value is a separate request. */
export const NAMING: Readonly<Record<string, readonly Value[]>> = {
  stream: [stream],
  stream_name: [stream],
  stream_names: [({ stream: name }) => [name]],
  default_sending_stream: [stream],
  default_events_register_stream: [stream],
  stream_id: [streamId],
  folder_id: [({ channel_folder_id: id }) => id],
  stream_ids: [({ stream_id: id }) => [id]],
  notifications_stream_id: [streamId],
  signup_notifications_stream_id: [streamId],
  message_id: [({ message_id: id }) => id, ({ poll_id: id }) => id],
  pointer: [({ message_id: id }) => id],
  queue_id: [({ queue_id: id }) => id],
  members: [({ user_id: id }) => [id]],
  bot_owner_id: [({ user_id: id }) => id],
  order: [({ field_id: id }) => [id]],
  ordered_linkifier_ids: [({ filter_id: id }) => [id]],
  messages: [({ message_id: id }) => [id], ({ private_id: id }) => [id]],
};

/** They name objects too, but how depends on the route: such a route is in by-hand.ts. */
export const NAMING_BY_ROUTE: ReadonlySet<string> = new Set(
  'add data default_stream_groups delete email msg_ids narrow principals profile_data subscription_data subscriptions to url'.split(
    ' ',
  ),
);

/** Values of parameters that name no object. Flags and enumerations need none. */
export const SOUND: Readonly<Record<string, unknown>> = {
  alert_words: ['fire'],
  auth: pushAddress().auth,
  code: '000000',
  command: '/ping',
  content: 'x',
  description: 'mine',
  draft: { type: '', to: [], topic: '', content: 'mine' },
  drafts: [{ type: '', to: [], topic: '', content: 'mine' }],
  domain: 'other.example',
  emoji_name: 'smile',
  endpoint: 'https://push.example.net/to-me',
  flag: 'starred',
  full_name: '"Taken Over"',
  group_name: 'spies',
  hotspot: 'intro_reply',
  invitee_emails: 'new@example.net',
  msg_type: 'widget',
  name: 'Mine',
  new_description: 'mine',
  num_after: 0,
  num_before: 10,
  op: 'add',
  p256dh: pushAddress().p256dh,
  pattern: 'x(?P<id>[0-9]+)',
  property: 'color',
  scheduled_delivery_timestamp: 4_000_000_000,
  scheme: 'hmac',
  secret: 'mine now',
  status_text: 'busy',
  storage: { a: 'b' },
  token: 'ab12',
  topic: 'plans',
  topic_name: 'plans',
  url_format_string: 'https://y.example/%(id)s',
  value: '"#123456"',
};

/** Further parameters that name no object; no request needs a value for them. */
const FURTHER = `
  anchor anchor_date appid bot_creation_policy bot_type branches client client_capabilities client_id client_secret comparable_ids
  create_stream_policy default_language demote_inactive_streams desktop_icon_count_display digest_weekday
  direct_member_only display_name domains email_address_visibility emoji_code emojiset event_types fetch_event_types
  field_data field_type google_hangouts_domain hint idle_queue_timeout interface_type invite_as invite_expires_in_minutes
  invite_to_realm_policy invite_to_stream_policy issuer jitsi_server_url keys last_event_id last_update_id local_id max_uses message_content_delete_limit_seconds
  message_content_edit_limit_seconds message_retention_days mobile_flow_otp new_group_name new_name new_password note notification_sound
  old_password password payload_url propagate_mode query quiet_hours_days quiet_hours_from quiet_hours_to queue_lifespan_secs reaction_type read_by_sender role s scheduled_end_time
  service_interface service_name service_payload_url short_name size status stream_post_policy subject timezone url_template user_group_edit_policy
  video_chat_provider visibility_policy waiting_period_threshold welcome_message_custom_text widget_content
  zoom_api_key zoom_api_secret zoom_user_id`;

export const PLAIN: ReadonlySet<string> = new Set([...Object.keys(SOUND), ...FURTHER.trim().split(/\s+/)]);
