/** How many bytes a request or a node may use: responses, unsent responses and current uploads. */
import { ms, text, variable, whole } from './kinds';

const bytes = whole(1, 68_719_476_736);

export const capacity = {
  messagesLimitBytes: variable(
    'MESSAGES_LIMIT_BYTES',
    bytes,
    4_194_304,
    'Most JSON of the messages in one answer of GET /messages; the client pages on for the rest.',
  ),
  unsentLimitBytes: variable(
    'UNSENT_LIMIT_BYTES',
    bytes,
    134_217_728,
    'Most bytes of answers that one node holds until clients read them, a quarter of it for one caller; beyond it 503. ' +
      'And most that all its event streams hold; beyond it the slowest are closed.',
  ),
  slowReaderMs: ms(
    'SLOW_READER_MS',
    30_000,
    'A connection whose client reads nothing of its answer for so long is cut.',
  ),
  spoolDir: variable(
    'SPOOL_DIR',
    text,
    '',
    "Folder for uploads under way, SPOOL_LIMIT_BYTES large; empty means the system's folder for temporary files.",
  ),
  spoolLimitBytes: variable(
    'SPOOL_LIMIT_BYTES',
    bytes,
    268_435_456,
    'Most bytes of uploads under way on one node, a quarter of it for one caller; beyond it 503.',
  ),
} as const;
