/** Submessages: changes to polls and to-do lists. */
import { text } from '../../../kernel/http/params';
import { routesFor } from '../../../kernel/http/route';
import { addSubmessage } from '../../commands/messages/add-submessage';
import { DONE } from '../../model/answers/envelope';
import type { User } from '../../model/users/user';
import { messageId, shortText } from '../wire-params';
import { badRequest } from '../../model/faults';
import { invalidSubmessage, mayNotAttach, tooManySubmessages } from '../../model/messages/submessage';

const { post } = routesFor<User>();

/** The column's length. */
const MAX_TYPE_LENGTH = 100;

export const submessageRoutes = [
  post('/submessage', {
    summary: 'Vote in a poll, or change a task list',
    answer: DONE,
    refuses: [badRequest('Invalid message(s)'), invalidSubmessage(), mayNotAttach(), tooManySubmessages()],
    params: { message_id: messageId, msg_type: shortText(MAX_TYPE_LENGTH), content: text },
    run: ({ kernel, by, params: { message_id: id, msg_type: type, content } }) =>
      addSubmessage(kernel, by, { messageId: id, type, content }),
  }),
];
