/** Types of the API's answers, with only the fields that the page uses. */

export interface Person {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
  readonly avatar_url: string | null;
  readonly is_admin: boolean;
  readonly is_guest: boolean;
  /** Tells owners from administrators and moderators from members; see `roleOf`. */
  readonly role?: number;
  readonly is_bot: boolean;
  readonly bot_type?: number | null;
  readonly bot_owner_id?: number | null;
  readonly timezone: string;
  readonly date_joined: string;
  readonly profile_data?: Readonly<Record<string, { value: string; rendered_value?: string }>>;
}

export interface Status {
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
  /** Seconds. */
  readonly scheduled_end_time?: number | null;
}

export interface UserGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
}

export interface Stream {
  readonly stream_id: number;
  readonly name: string;
  readonly description: string;
  readonly invite_only: boolean;
  readonly is_announcement_only: boolean;
  /** Where `is_announcement_only` does not say it: 3 for all but newcomers, 4 for moderators. */
  readonly stream_post_policy?: number | undefined;
  readonly history_public_to_subscribers: boolean;
  /** HTML. */
  readonly rendered_description: string;
  readonly is_archived: boolean;
  readonly folder_id?: number | null;
  /** Absent in events. */
  readonly is_recently_active?: boolean;
}

export interface Subscription extends Stream {
  readonly color: string;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
  readonly desktop_notifications: boolean;
  readonly audible_notifications: boolean;
  readonly push_notifications: boolean;
  readonly email_notifications: boolean;
  readonly wildcard_mentions_notify: boolean;
}

export interface Reaction {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
  readonly user: { readonly id: number; readonly full_name: string };
}

export interface Recipient {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
}

/** A change to a poll, to-do list or form. */
export interface Submessage {
  readonly id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  readonly content: string;
}

export interface Message {
  readonly id: number;
  readonly type: 'stream' | 'private';
  readonly recipient_id: number;
  readonly sender_id: number;
  readonly sender_email: string;
  readonly sender_full_name: string;
  readonly avatar_url: string | null;
  readonly stream_id?: number;
  readonly display_recipient: string | readonly Recipient[];
  readonly subject: string;
  readonly content: string;
  readonly is_me_message: boolean;
  readonly reactions: readonly Reaction[];
  readonly submessages?: readonly Submessage[];
  readonly timestamp: number;
  readonly flags: readonly string[];
  readonly last_edit_timestamp?: number;
  /** Absent where the organisation hides it. A move has no former content. */
  readonly edit_history?: readonly { readonly prev_content?: string }[];
  readonly match_content?: string;
  readonly match_subject?: string;
}

export interface MessagesAnswer {
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly messages: readonly Message[];
}

export interface UnreadMessages {
  readonly pms: readonly { readonly sender_id: number; readonly unread_message_ids: readonly number[] }[];
  readonly huddles: readonly { readonly user_ids_string: string; readonly unread_message_ids: readonly number[] }[];
  readonly streams: readonly {
    readonly stream_id: number;
    readonly topic: string;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly mentions: readonly number[];
}

/** 0 none, 1 muted, 2 unmuted, 3 followed. */
export type TopicPolicy = 0 | 1 | 2 | 3;

export interface UserTopic {
  readonly stream_id: number;
  readonly topic_name: string;
  readonly last_updated: number;
  readonly visibility_policy: TopicPolicy;
}

export interface Bot {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
  readonly bot_type: number;
  readonly is_active: boolean;
  readonly api_key: string;
  readonly avatar_url: string;
}

export interface CustomEmoji {
  readonly id: string;
  readonly name: string;
  readonly source_url: string;
  readonly deactivated: boolean;
}

/** The answer of register to `FETCHED`, with the few people that it knows. Fields that are only passed through are read by name where they are shown. */
export interface Registered extends Readonly<Record<string, unknown>> {
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly user_id: number;
  readonly is_admin: boolean;
  readonly is_guest: boolean;
  readonly enter_sends: boolean;
  readonly realm_users: readonly Person[];
  readonly realm_non_active_users: readonly Person[];
  readonly cross_realm_bots: readonly Person[];
  readonly user_status: Readonly<Record<string, Status>>;
  readonly realm_emoji: Readonly<Record<string, CustomEmoji>>;
  readonly realm_filters: readonly (readonly [string, string, number])[];
  readonly subscriptions: readonly Subscription[];
  readonly unsubscribed: readonly Stream[];
  readonly never_subscribed: readonly Stream[];
  /** A node of an earlier release does not say. */
  readonly muted_users?: readonly { readonly id: number }[];
  readonly user_topics: readonly UserTopic[];
  readonly unread_msgs: UnreadMessages;
  readonly starred_messages: readonly number[];
  readonly recent_private_conversations: readonly {
    readonly max_message_id: number;
    readonly user_ids: readonly number[];
  }[];
}

export interface ServerEvent extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly type: string;
  readonly op?: string;
}

interface Organisation {
  readonly name: string;
  readonly icon_url: string;
}

export interface SignedIn {
  readonly signed_in: true;
  readonly token: string;
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
  /** Null if no organisation has this address. */
  readonly organisation: Organisation | null;
  readonly two_factor?: { readonly on: boolean; readonly required: boolean };
}

export interface SignedOut {
  readonly signed_in: false;
  /** Null if no organisation has this address. */
  readonly organisation: Organisation | null;
  readonly methods: { readonly password: boolean; readonly openid: readonly { name: string; url: string }[] };
  readonly has_portal: boolean;
  readonly demo_accounts?: readonly { readonly email: string; readonly full_name: string }[];
}

export type Session = SignedIn | SignedOut;

/** Whether the organisation requires a second factor that the user has not set up yet. */
export const mustSetUp = ({ two_factor }: SignedIn): boolean => two_factor?.required === true && !two_factor.on;
