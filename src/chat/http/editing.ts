/** Single messages: deleting them, and trying out what one would look like. */
import { integer, text } from '../../kernel/http/params';
import { routesFor } from '../../kernel/http/route';
import { deleteMessage } from '../commands/delete-message';
import { checkContent } from '../model/draft';
import type { User } from '../model/user';
import { renderContent } from '../queries/render-content';

const { post, del } = routesFor<User>();

export const editingRoutes = [
  post('/messages/render', {
    summary: 'Render a message without sending it',
    params: { content: text },
    async run({ kernel, by, params }) {
      const { html } = await renderContent(kernel, by.realmId, checkContent(params.content), by);
      return { rendered: html };
    },
  }),
  del('/messages/:message_id', {
    summary: 'Delete a message',
    params: { message_id: integer },
    run: ({ kernel, by, params }) => deleteMessage(kernel, by, params.message_id),
  }),
];
