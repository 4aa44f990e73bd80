/** Rows of chat_push_shown: the notifications that people's devices show, one of each conversation. */
import { pushShownIn } from '../../../kernel/push/push-shown';

export const pushShown = pushShownIn('chat_push_shown', 'user_id');
