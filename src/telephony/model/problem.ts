/** The body of every refusal, over HTTP and over the socket. */
import { STATUS_CODES } from 'node:http';

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
}

export const problemObject = (status: number, detail: string): Problem => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
});
