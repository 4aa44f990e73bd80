/** Read state and flags of messages. */
import { flag, text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { markAllRead, markStreamRead, markTopicRead } from '../../commands/reading/mark-read';
import { updateFlags } from '../../commands/reading/update-flags';
import { updateFlagsInNarrow } from '../../commands/reading/update-flags-narrow';
import { DONE } from '../../model/answers/envelope';
import { flagsAnswer, narrowFlagsAnswer } from '../../model/answers/messages';
import { badRequest } from '../../model/faults';
import { readNarrow } from '../../model/reading/narrow';
import { invalidStreamId } from '../../model/streams/stream-faults';
import type { User } from '../../model/users/user';
import { id } from '../streams/stream-params';
import { CACHED_CALLERS } from '../wire-format';
import { integers } from '../wire-params';
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

const { post } = routesFor<User>();

const FLAG_REFUSALS = [badRequest("Invalid flag: 'blue'"), badRequest("Flag not editable: 'mentioned'")];

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
    refuses: [badRequest('Invalid message(s)'), ...FLAG_REFUSALS],
    params: { messages: integers, op: text, flag: text },
    run: ({ kernel, by, params }) =>
      updateFlags(kernel.transaction, by, { messageIds: params.messages, operation: params.op, flag: params.flag }),
  }),
  post('/messages/flags/narrow', {
    summary: 'Update a personal flag of the messages of a narrow',
    admits: [CACHED_CALLERS],
    answer: narrowFlagsAnswer,
    refuses: [missingAnchor(), BAD_NARROW, ...FLAG_REFUSALS],
    isExpensive: true,
    params: {
      anchor: anchorText.optional(),
      anchor_date: dateText.optional(),
      include_anchor: flag.default(true),
      num_before: countText,
      num_after: countText,
      narrow: narrowText.default('[]'),
      op: text,
      flag: text,
    },
    run: ({ kernel, by, params }) =>
      updateFlagsInNarrow(
        kernel,
        by,
        { operation: params.op, flag: params.flag },
        {
          anchor: anchorOf({ ...params, use_first_unread_anchor: false }),
          isBesideAnchor: !params.include_anchor,
          before: countOf('num_before', params.num_before),
          after: countOf('num_after', params.num_after),
          narrow: readNarrow(params.narrow),
        },
      ),
  }),
];
