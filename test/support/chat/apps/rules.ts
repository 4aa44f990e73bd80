/** What the app's decoders demand beyond the types of single fields. Each says what is wrong, if anything is. */

// oxlint-disable-next-line typescript/no-explicit-any -- answers and events of every shape
type Written = Readonly<Record<string, any>>;
type Rule = (value: Written) => string | undefined;

const has = (value: Written, ...names: readonly string[]) =>
  names.every((name) => (value[name] ?? undefined) !== undefined);

const isBool = (value: unknown) => typeof value === 'boolean';
const isText = (value: unknown) => typeof value === 'string';
const isNumberOrNull = (value: unknown) => value === null || Number.isInteger(value);

/** Values of properties that the app knows. Those of others may be anything. */
const typed =
  (tests: Readonly<Record<string, (value: unknown) => boolean>>): Rule =>
  ({ property, value }) =>
    tests[property as string]?.(value) === false ? `${property} is ${JSON.stringify(value)}` : undefined;

const all = (names: string, test: (value: unknown) => boolean) =>
  Object.fromEntries(names.split(' ').map((name) => [name, test]));

const moved: Rule = (event) => {
  const { stream_id: from, new_stream_id: to = from, orig_subject: old, subject = old } = event;
  const isMoved = to !== from || subject !== old;
  if (isMoved && !has(event, 'stream_id', 'orig_subject', 'propagate_mode')) return 'was moved, but not from where';
  return !isMoved && has(event, 'propagate_mode') ? 'has a propagate_mode without a move' : undefined;
};

const LATER = new Set(['new_option', 'question', 'vote', 'unknown']);

const message: Rule = ({ submessages, edit_history: edits = [] }) => {
  for (const { prev_content: content, prev_stream: stream, prev_topic: before, topic } of edits as Written[])
    if (before !== undefined && !content && !stream && typeof topic !== 'string') return 'a renaming has no new topic';
  const [first, ...later] = (submessages ?? []) as { content: string }[];
  if (!first) return undefined;
  const widget = JSON.parse(first.content) as Written;
  if (!isText(widget['widget_type'])) return 'a submessage has no widget_type';
  if (widget['widget_type'] !== 'poll') return undefined;
  const unknown = later.find(({ content }) => !LATER.has((JSON.parse(content) as Written)['type'] as string));
  return unknown && `a poll has ${unknown.content}`;
};

const status: Rule = ({ emoji_name: name, emoji_code: code, reaction_type: type }) => {
  if (!name || !code || !type) return undefined;
  const isKnown = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'].includes(type as string);
  return isKnown ? undefined : `reaction_type is ${type}`;
};

const place: Rule = (value) => {
  if (value['type'] === 'stream') return has(value, 'stream_id', 'topic') ? undefined : 'has no stream_id or topic';
  return has(value, 'user_ids') ? undefined : 'has no user_ids';
};

export const RULES: Readonly<Record<string, Rule>> = {
  ChannelDeleteEvent: (event) => (has(event, 'stream_ids') || has(event, 'streams') ? undefined : 'names no streams'),
  ChannelUpdateEvent: typed({
    ...all('name description topics_policy', isText),
    ...all('invite_only is_archived is_recently_active', isBool),
    ...all('first_message_id message_retention_days folder_id stream_weekly_traffic', isNumberOrNull),
    stream_post_policy: (value) => [1, 2, 3, 4].includes(value as number),
  }),
  DeleteMessageEvent: (event) =>
    event['message_type'] !== 'stream' || has(event, 'stream_id', 'topic') ? undefined : 'has no stream_id or topic',
  DmMessage: message,
  InitialSnapshot: (state) =>
    URL.canParse(state['server_emoji_data_url'] as string) ? undefined : 'emoji: no address',
  MessageEvent: ({ message: { type } }) => (type === 'stream' || type === 'private' ? undefined : `type is ${type}`),
  StreamMessage: message,
  SubscriptionUpdateEvent: typed({
    color: (value) => isText(value) && /^#[\da-f]{6}$/i.test(value as string),
    ...all(
      'is_muted pin_to_top desktop_notifications audible_notifications push_notifications email_notifications wildcard_mentions_notify',
      isBool,
    ),
  }),
  TypingEvent: (event) => {
    const needed = event['message_type'] === 'stream' ? ['stream_id', 'topic'] : ['recipients'];
    return has(event, ...needed) ? undefined : `has no ${needed.join(' or ')}`;
  },
  UpdateMessageEvent: moved,
  UpdateMessageFlagsMessageDetail: place,
  UpdateMessageFlagsRemoveEvent: (event) =>
    event['flag'] !== 'read' || has(event, 'message_details') ? undefined : 'has no message_details',
  UserSettingsUpdateEvent: typed({
    ...all(
      'starred_message_counts display_emoji_reaction_users web_inbox_show_channel_folders presence_enabled',
      isBool,
    ),
    twenty_four_hour_time: (value) => value === null || isBool(value),
    emojiset: isText,
  }),
  UserStatusChange: status,
  UserStatusEvent: status,
};
