/** Reading messages, and their read state and flags. */
import { Fault } from '../../../kernel/fault';
import { flag, jsonText, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Kernel } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { markAllRead, markStreamRead, markTopicRead } from '../../commands/reading/mark-read';
import { updateFlags } from '../../commands/reading/update-flags';
import { NEWEST_ANCHOR } from '../../model/reading/anchor';
import { badArgument, badRequest, missingArgument } from '../../model/faults';
import { requestProfile } from '../../model/profiles/profiles';
import { readNarrow } from '../../model/reading/narrow';
import type { User } from '../../model/users/user';
import { getMessages } from '../../queries/reading/get-messages';
import { matchNarrow } from '../../queries/reading/match-narrow';
import type { ChatSettings } from '../../settings';
import { CACHED_CALLERS } from '../wire-format';
import { integers } from '../wire-params';
import { DONE } from '../../model/answers/envelope';
import { flagsAnswer, matchesAnswer, messagesAnswer } from '../../model/answers/messages';
import { invalidStreamId } from '../../model/streams/stream-faults';
import { id } from '../streams/stream-params';

type Parts = Pick<Kernel, 'mysql' | 'readFrom'>;

const { get, post } = routesFor<User>();

const missingAnchor = () => new Fault('invalid', "Missing 'anchor' argument (or set 'use_first_unread_anchor'=True).");
const BAD_NARROW = new Fault('invalid', 'Invalid narrow operator: unknown stream nowhere', {
  code: 'BAD_NARROW',
  fields: { desc: 'unknown stream nowhere' },
});

/** Larger than other numbers may be: clients send an anchor above all ids to start at the newest message. */
const anchorText = text.meta({
  type: ['integer', 'string'],
  description: 'A message id, `newest`, `oldest`, `first_unread`, or `date` for the first since `anchor_date`',
});
const dateText = text.meta({ description: 'ISO 8601, such as 2026-11-18 or 2026-11-18T09:30:00Z' });

const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[-+]\d\d:?\d\d)?)?$/i;

/** Without a time zone it is UTC, as in Zulip. */
function dateOf(written: string | undefined): Date {
  if (written === undefined) throw missingArgument('anchor_date');
  const found = ISO.exec(written);
  const date = new Date(found && written.length > DAY_LENGTH && !found[1] ? `${written}Z` : written);
  if (!found || Number.isNaN(date.getTime())) throw badArgument('anchor_date', written);
  return date;
}
const DAY_LENGTH = '2026-11-18'.length;

interface WrittenAnchor {
  readonly anchor?: string | undefined;
  readonly anchor_date?: string | undefined;
  readonly use_first_unread_anchor: boolean;
}

function anchorOf(params: WrittenAnchor): number | Date | undefined {
  // Some clients always send both.
  if (params.use_first_unread_anchor) return undefined;
  const written = params.anchor;
  if (written === undefined) throw missingAnchor();
  if (written === 'date') return dateOf(params.anchor_date);
  if (written === 'first_unread') return undefined;
  if (written === 'newest') return NEWEST_ANCHOR;
  if (written === 'oldest') return 0;
  if (!/^\s*[-+]?\d+\s*$/.test(written)) throw badArgument('anchor', written);
  // Longer numbers would come back rounded, or as 1e+21, which most clients do not accept as an integer.
  return Math.max(-NEWEST_ANCHOR, Math.min(Number(written), NEWEST_ANCHOR));
}

/** Zulip's limit. */
const MAX = 2 ** 32 - 1;

function countOf(name: string, written: string): number {
  const count = Number(written);
  if (!/^\s*\d+\s*$/.test(written) || count > MAX) throw badArgument(name, written);
  return count;
}

const TODAY = 'Named only by the clients of today, which get the shapes of theirs.';

const narrowText = text.meta(jsonText({ type: 'array' }));
const countText = text.meta({ type: 'integer' });

export const readingRoutes = (chat: Parts, { messagesLimitBytes: limitBytes }: ChatSettings) => [
  get('/messages/matches_narrow', {
    summary: 'Check which messages match a narrow',
    answer: matchesAnswer,
    refuses: [BAD_NARROW],
    isExpensive: true,
    params: { msg_ids: integers, narrow: narrowText },
    run: ({ kernel, by, params }) =>
      matchNarrow(kernel.mysql, by, { ids: params.msg_ids, terms: readNarrow(params.narrow), limitBytes }),
  }),
  get('/messages', {
    summary: 'Get messages',
    answer: messagesAnswer,
    refuses: [missingAnchor(), new Fault('invalid', 'Too many messages requested (maximum 5000).'), BAD_NARROW],
    isExpensive: true,
    admits: [CACHED_CALLERS],
    params: {
      anchor: anchorText.optional(),
      anchor_date: dateText.optional(),
      use_first_unread_anchor: flag.default(false),
      num_before: countText,
      num_after: countText,
      narrow: narrowText.default('[]'),
      include_anchor: flag.default(true),
      allow_empty_topic_name: flag.optional().meta({ description: TODAY }),
      client_avatar: flag.optional(),
      client_gravatar: flag.optional(),
      apply_markdown: flag.default(true),
    },
    run: ({ by, params }) => {
      const reading = {
        before: countOf('num_before', params.num_before),
        after: countOf('num_after', params.num_after),
        anchor: anchorOf(params),
        isBesideAnchor: !params.include_anchor,
        profile: requestProfile(params.allow_empty_topic_name),
        narrow: readNarrow(params.narrow),
        limitBytes,
        wantsHtml: params.apply_markdown,
        computesAvatars: params.client_avatar ?? params.client_gravatar ?? false,
      };
      const isSearch = reading.narrow.some(({ operator }) => operator === 'search');
      const read = (db: Database) => getMessages(db, by, reading);
      return isSearch ? chat.readFrom(read) : read(chat.mysql);
    },
  }),
];

export const flagRoutes = [
  post('/mark_all_as_read', {
    summary: 'Mark all messages as read',
    answer: DONE,
    admits: [CACHED_CALLERS],
    run: ({ kernel, by }) => markAllRead(kernel, by),
  }),
  post('/mark_stream_as_read', {
    summary: 'Mark messages in a stream as read',
    answer: DONE,
    refuses: [invalidStreamId()],
    admits: [CACHED_CALLERS],
    params: { stream_id: id('stream_id') },
    run: ({ kernel, by, params }) => markStreamRead(kernel, by, params.stream_id),
  }),
  post('/mark_topic_as_read', {
    summary: 'Mark messages in a topic as read',
    answer: DONE,
    refuses: [invalidStreamId(), badRequest("No such topic 'nothing'")],
    admits: [CACHED_CALLERS],
    params: { stream_id: id('stream_id'), topic_name: text },
    run: ({ kernel, by, params }) => markTopicRead(kernel, by, params.stream_id, params.topic_name),
  }),
  post('/messages/flags', {
    summary: 'Update personal message flags',
    admits: [CACHED_CALLERS],
    answer: flagsAnswer,
    refuses: [
      badRequest('Invalid message(s)'),
      badRequest("Invalid flag: 'blue'"),
      badRequest("Flag not editable: 'mentioned'"),
    ],
    params: { messages: integers, op: text, flag: text },
    run: ({ kernel, by, params }) =>
      updateFlags(kernel.transaction, by, { messageIds: params.messages, operation: params.op, flag: params.flag }),
  }),
];
