/** The newest letters that a development server shows instead of sending, of products that keep no rows of theirs. */
import type { Keyspace } from '../redis/connections';
import { installationKey } from '../redis/keys';
import type { Letter } from './letter';

export interface ShownLetter {
  readonly recipient: string;
  readonly text: string;
  readonly at: string;
}

const MAX = 50;
const keyIn = (namespace: string): string => installationKey(namespace, 'shown-letters');

export async function keepShown({ redis, namespace }: Keyspace, { to, subject, text }: Letter): Promise<void> {
  const shown: ShownLetter = { recipient: to, text: `${subject}\n\n${text}`, at: new Date().toISOString() };
  await redis.commands.lpush(keyIn(namespace), JSON.stringify(shown));
  await redis.commands.ltrim(keyIn(namespace), 0, MAX - 1);
}

/** Newest first. */
export async function listShown({ redis, namespace }: Keyspace): Promise<ShownLetter[]> {
  const kept = await redis.commands.lrange(keyIn(namespace), 0, MAX - 1);
  return kept.map((letter) => JSON.parse(letter) as ShownLetter);
}
