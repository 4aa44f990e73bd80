/** Texts that are hard to render, from an account that sends as many as its limit allows. */
import type { Abuse } from '../abuse';

const AT_ONCE = 20;
const MAX_LENGTH = 10_000;

const filled = (part: string): string => part.repeat(Math.ceil(MAX_LENGTH / part.length)).slice(0, MAX_LENGTH);

const TEXTS: readonly string[] = [
  filled('['),
  filled('*_'),
  filled('> '),
  filled('- \n  '),
  filled('http://a.b/'),
  filled('@**'),
  filled('#**test>'),
  filled(':smile:'),
  filled('`'),
  filled('~~~ '),
  filled('|a'),
  filled('!['),
  filled('$$'),
  filled('\u0301'),
  filled('👩‍👩‍👧‍👦'),
  `\`\`\`python\n${filled('(((((')}`,
];

export const hostileRenders: Abuse = {
  name: 'hostile-renders',
  summary: 'Texts that are hard to render, 20 at once, as often as the limit lets them through',
  async run(target, signal) {
    const headers = await target.basic('member@example.com');
    const counts: Record<string, number> = { requests: 0 };
    const send = async (worker: number) => {
      for (let round = worker; !signal.aborted; round += 1) {
        const content = TEXTS[round % TEXTS.length]!;
        counts['requests']! += 1;
        const { status } = await target.call('/api/v1/messages/render', { headers, form: { content } });
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => send(worker)));
    return counts;
  },
};
