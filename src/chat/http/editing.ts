/** Looking at one message, changing it and deleting it. */
import { integer } from '../../kernel/http/params';
import { routesFor } from '../../kernel/http/route';
import { deleteMessage } from '../commands/delete-message';
import type { User } from '../model/user';

const { del } = routesFor<User>();

export const editingRoutes = [
  del('/messages/:message_id', {
    summary: 'Delete a message',
    params: { message_id: integer },
    run: ({ kernel, by, params }) => deleteMessage(kernel, by, params.message_id),
  }),
];
