/** Read state and flags. */
import { text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { markAllRead, markStreamRead, markTopicRead } from '../../commands/reading/mark-read';
import { updateFlags } from '../../commands/reading/update-flags';
import type { User } from '../../model/users/user';
import { CACHED_CALLERS } from '../wire-format';
import { id } from '../streams/stream-params';
import { integers } from '../wire-params';
import { DONE } from '../../model/answers/envelope';
import { flagsAnswer } from '../../model/answers/messages';
import { badRequest } from '../../model/faults';
import { invalidStreamId } from '../../model/streams/stream-faults';

const { post } = routesFor<User>();

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
