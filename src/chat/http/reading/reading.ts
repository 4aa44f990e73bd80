/** Reading messages. */
import { Fault } from '../../../kernel/fault';
import { flag } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import type { Kernel } from '../../../kernel/kernel';
import type { Database } from '../../../kernel/mysql/pool';
import { requestProfile } from '../../model/profiles/profiles';
import { readNarrow } from '../../model/reading/narrow';
import type { User } from '../../model/users/user';
import { getMessages } from '../../queries/reading/get-messages';
import { matchNarrow } from '../../queries/reading/match-narrow';
import type { ChatSettings } from '../../settings';
import { CACHED_CALLERS } from '../wire-format';
import { integers } from '../wire-params';
import { matchesAnswer, messagesAnswer } from '../../model/answers/messages';
import {
  anchorOf,
  anchorText,
  BAD_NARROW,
  countOf,
  countText,
  dateText,
  missingAnchor,
  narrowText,
} from './seeking-params';

type Parts = Pick<Kernel, 'mysql' | 'readFrom'>;

const { get } = routesFor<User>();

const TODAY = 'Named only by the clients of today, which get the shapes of theirs.';

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
