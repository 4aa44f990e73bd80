/** The error body over HTTP and over the socket. */
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Wire } from '../../kernel/text/wire';

export const problem = z
  .object({
    type: z.string().meta({ description: 'Miscellaneous information; about:blank, or a code for pages of the portal' }),
    title: z.string().meta({ description: 'Status message' }),
    status: z.int().meta({ description: 'Status code' }),
    detail: z.string().meta({ description: 'Error message' }),
  })
  .meta({ id: 'Problem' });
export type Problem = Wire<typeof problem>;

export const problemObject = (status: number, detail: string, type = 'about:blank'): Problem => ({
  type,
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
});
