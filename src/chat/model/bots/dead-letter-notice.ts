/** The notice to a bot's owner about deliveries that could not become messages. */

export interface FailedDelivery {
  readonly id: number;
  readonly integration: string;
  readonly stream: string | null;
  readonly error: string;
}

const MAX_LINES = 10;

/** External text must not act as markup, nor close the code span around it. */
const quoted = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').slice(0, 200)}\``;

export function deadLetterNotice(bot: { readonly email: string }, failed: readonly FailedDelivery[]): string {
  const lines = failed.slice(0, MAX_LINES).map(({ id, integration, stream, error }) => {
    const place = stream === null ? '' : ` for stream ${quoted(stream)}`;
    return `* delivery ${id} from ${integration}${place}: ${quoted(error)}`;
  });
  if (failed.length > MAX_LINES) lines.push(`* and ${failed.length - MAX_LINES} more`);
  const what = failed.length === 1 ? 'a delivery' : `${failed.length} deliveries`;
  return [
    `Your bot ${quoted(bot.email)} received ${what} that could not be sent:`,
    '',
    ...lines,
    '',
    'Nothing is lost: those who run this server can send it again once the reason is gone.',
  ].join('\n');
}
