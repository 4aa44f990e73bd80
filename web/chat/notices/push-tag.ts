/** What notifications of a conversation are called: the same on the server (src/chat/model/push/push-payload.ts). */
import type { Message } from '../data/wire';

export const pushTagOf = ({ type, stream_id: streamId, subject, recipient_id: recipientId }: Message): string =>
  type === 'stream' ? `s:${streamId}:${subject.toLowerCase()}` : `r:${recipientId}`;
