/** Why something could not be sent, in another language than the refusals of the API, which are English. */
import { chatWords, type ChatWords } from '../texts/chat-words';

/** Their English texts are the sentences of the refusals. Others are shown as they are. */
const REASONS = [
  'bot.reason.admins',
  'bot.reason.left',
  'bot.reason.moderators',
  'bot.reason.newcomers',
  'bot.reason.noPerson',
  'bot.reason.noStream',
  'bot.reason.server',
  'bot.reason.stream',
] as const;

const patternOf = (sentence: string): RegExp =>
  new RegExp(`^${sentence.replace(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{(\w+)\}/g, '(?<$1>.*)')}$`, 's');

const patterns = REASONS.map((key) => [key, patternOf(chatWords('en').say(key))] as const);

export function reasonText({ say }: ChatWords, error: string): string {
  for (const [key, pattern] of patterns) {
    const found = pattern.exec(error);
    if (found) return say(key, found.groups);
  }
  return error;
}
