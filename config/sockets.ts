/** Limits of texting sockets, of event replay, and of presence. */
import { limit, ms, variable, whole, type Kind } from './kinds';

const count = whole(1, 1_000_000);
/** Up to 31 days, longer than any other time. */
const days: Kind<number> = { ...whole(0, 31 * 86_400_000), label: 'milliseconds' };

export const sockets = {
  maxSockets: variable('MAX_SOCKETS', count, 12_000, 'Most sockets of one node; more are refused.'),
  socketsPerKey: variable('SOCKETS_PER_KEY', count, 2_000, 'Most sockets of one API key on one node.'),
  socketsPerAddress: variable('SOCKETS_PER_ADDRESS', count, 2_000, 'Most sockets from one address on one node.'),
  socketPayloadBytes: variable(
    'SOCKET_PAYLOAD_BYTES',
    whole(1_000, 10_000_000),
    100_000,
    'Largest packet a client may send.',
  ),
  socketAuthMs: ms('SOCKET_AUTH_MS', 10_000, 'A socket must have authenticated by then.'),
  socketAuthTries: variable('SOCKET_AUTH_TRIES', whole(1, 100), 5, 'Attempts to authenticate on one socket.'),
  socketAuthLimit: limit('SOCKET_AUTH_LIMIT', '60:100', 'Failed attempts to authenticate sockets from one address.'),
  socketEventLimit: limit('SOCKET_EVENT_LIMIT', '10:100', 'Events from one socket; more are refused.'),
  eventReplayMs: variable(
    'EVENT_REPLAY_MS',
    days,
    604_800_000,
    "How long a company's events can be asked for again; as long they stay in the outbox.",
  ),
  eventReplayMost: variable(
    'EVENT_REPLAY_MAX',
    whole(1, 100_000),
    1_000,
    'Most events replayed to a socket; a client that missed more gets `resync_required`.',
  ),
  presenceMs: ms(
    'PRESENCE_MS',
    45_000,
    'A user whom no node has reported for so long is offline; nodes report three times as often.',
  ),
  presenceGraceMs: ms('PRESENCE_GRACE_MS', 10_000, 'A user may be back by then, and never was away.'),
  presenceSweepMs: ms('PRESENCE_SWEEP_MS', 5_000, 'How often users who went offline are looked for.'),
} as const;
