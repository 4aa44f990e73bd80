/** Follows the company's events over Socket.IO. After a disconnect, the server replays what was missed. */
import { io, type Socket } from 'socket.io-client';
import { noteCallNews } from '../calls/news';
import { api } from '../http/api';
import { emptyInbox, loadConversation, setConnected } from './inbox';
import { dropConversation, dropText, emptyTexts, loadAgain, loadNewest, putText, useTexts } from './texts';
import type { Conversation, TextMessage } from './wire';

export { heedPortalPushes } from '../push/pushed';

type Payload = Readonly<Record<string, unknown>>;

const COME_BACK_MS = 2000;

/** A failed reload is made up by the next event, or when the inbox is opened again. */
const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);

function apply(name: string, payload: Payload): void {
  const conversationId = String(payload['conversation_id'] ?? payload['id']);
  switch (name) {
    case 'texting.message.new':
      putText(payload as unknown as TextMessage);
      // The unread count comes from the server, which knows what other windows have read.
      return quietly(loadConversation(conversationId));
    case 'texting.message.markAsRead':
      if (useTexts.getState().opened.has(conversationId)) quietly(loadNewest(conversationId));
      return quietly(loadConversation(conversationId));
    case 'texting.message.delete':
      dropText(conversationId, String(payload['id']));
      return quietly(loadConversation(conversationId));
    case 'texting.chat.new':
      return quietly(loadConversation((payload as unknown as Conversation).id));
    case 'texting.chat.delete':
      return dropConversation(conversationId);
    case 'call.started':
    case 'call.answered':
    case 'call.ended':
      return noteCallNews();
  }
}

/** Returns a function that stops following. */
export function follow(): () => void {
  const socket: Socket = io({ path: '/ws', transports: ['websocket'] });
  /** The number of the last handled event; null before the first. */
  let after: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const comeBack = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), COME_BACK_MS);
  };
  const authenticate = async (): Promise<void> => {
    try {
      const { ticket } = await api.post<{ ticket: string }>('/portal/api/socket-ticket');
      socket.emit('authenticate', { token: ticket, after });
    } catch {
      socket.disconnect();
      comeBack();
    }
  };

  socket.on('connect', () => void authenticate());
  socket.on('authenticated', ({ seq }: { seq: number }) => {
    // Events may have been missed between loading the list and connecting, so it is loaded again.
    if (after === null) quietly(loadAgain());
    after ??= seq;
    setConnected(true);
  });
  socket.on('resync_required', ({ seq }: { seq: number }) => {
    after = seq;
    quietly(loadAgain());
  });
  socket.on('disconnect', (reason) => {
    setConnected(false);
    if (reason === 'io server disconnect') comeBack();
  });
  socket.onAny((name: string, payload: Payload, position?: { readonly seq: number }) => {
    if (position?.seq === undefined) return;
    after = position.seq;
    apply(name, payload);
  });
  return () => {
    clearTimeout(timer);
    socket.disconnect();
    setConnected(false);
    emptyInbox();
    emptyTexts();
  };
}
