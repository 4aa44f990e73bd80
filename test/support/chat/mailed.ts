/** A cluster whose mail goes to an SMTP server in the test process, and helpers to find and read that mail. */
import { demoPeople, type DemoPeople } from './people';
import { openCluster, type Cluster, type Environment, type TestNode } from '../kernel/cluster';
import { startMailServer, type MailServer, type TakenMail } from '../servers/mail-server';
import { until } from '../until';
import { startWorkers } from '../kernel/workers';

export const PUBLIC_URL = 'https://chat.example.org';
export const PASSWORD = 'correct horse battery staple';

export interface MailedCluster {
  readonly cluster: Cluster;
  readonly node: TestNode;
  readonly people: DemoPeople;
  readonly server: MailServer;
  /** The newest mail to an address, once there are this many. */
  mailTo(address: string, count?: number): Promise<TakenMail>;
  /** The state of the mail to an address, as operators see it. */
  states(address: string): Promise<{ state: string; attempts: number; error: string | null }[]>;
  /** Waits until nothing is pending: what was missed is mailed, or never will be. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function openMailedCluster(more: Environment = {}): Promise<MailedCluster> {
  const server = await startMailServer();
  const cluster = await openCluster({
    RATE_LIMIT: 'off',
    LOGIN_LIMIT: 'off',
    PASSWORD_RESET_LIMIT: 'off',
    PUBLIC_URL,
    SMTP_URL: server.url,
    MAIL_FROM: 'Chat <chat@example.org>',
    // Long enough for a busy machine: an abandoned attempt would be repeated.
    MAIL_CALL_MS: '5000',
    MAIL_RETRY_MS: '50',
    SWEEP_AFTER_MS: '300',
    ...more,
  });
  await cluster.seed();
  const node = await cluster.node();
  await startWorkers(cluster, 'chat-mail');
  const allTo = (address: string) => server.taken.filter(({ to }) => to.includes(address));
  return {
    cluster,
    node,
    people: await demoPeople(node),
    server,
    async mailTo(address, count = 1) {
      const mails = await until(
        () => Promise.resolve(allTo(address)),
        ({ length }) => length >= count,
      );
      return mails.at(-1)!;
    },
    states: (recipient) =>
      node.kernel.mysql('chat_mails').where({ recipient }).orderBy('id').select('state', 'attempts', 'error'),
    settled: () => settled(node),
    async close() {
      await cluster.close();
      await server.close();
    },
  };
}

async function settled({ kernel: { mysql } }: TestNode): Promise<void> {
  await until(
    async () => {
      const [{ head }] = (await mysql('chat_messages').max({ head: 'id' })) as [{ head: number }];
      const [{ noted }] = (await mysql('chat_missed_cursors').max({ noted: 'noted_id' })) as [{ noted: number | null }];
      const mail = () => mysql('kernel_mail').where({ mailbox: 'chat-missed-messages' });
      // In the order in which one becomes the other: a mention of everybody is mail before it is rows.
      const missed = [...(await mail()), ...(await mysql('chat_missed_messages').select()), ...(await mail())];
      const pending = await mysql('chat_mails').where({ state: 'pending' }).select();
      // The newest message that was checked may be deleted by now.
      return { behind: Math.max(0, head - (noted ?? 0)), missed: missed.length, pending: pending.length };
    },
    ({ behind, missed, pending }) => behind + missed + pending === 0,
  );
}

export interface SeenPage {
  readonly status: number;
  readonly title: string | undefined;
  readonly text: string;
  readonly fields: readonly string[];
}

/** Opens a page like a browser without scripts. */
export async function openPage(node: TestNode, path: string, form?: Record<string, string>): Promise<SeenPage> {
  const { status, headers, text } = await node.call(path, form ? { form } : {});
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('cache-control')).toContain('no-store');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; " +
      "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  expect(headers.get('access-control-allow-origin')).toBeNull();
  return {
    status,
    title: /<h1>(.*)<\/h1>/.exec(text)?.[1],
    text,
    fields: [...text.matchAll(/<input [^>]*name="(\w+)"/g)].map(([, name]) => name!),
  };
}

/** Fills in the form of a page, whose fields must be these, and submits it to the page's address. */
export async function sendForm(node: TestNode, path: string, form: Record<string, string>): Promise<SeenPage> {
  const page = await openPage(node, path);
  expect(page.text).toMatch(/<form[^>]* method="post">/);
  expect(page.fields).toEqual(Object.keys(form));
  return openPage(node, path, form);
}

/** The token of the link in a mail. */
export function tokenIn({ text }: Pick<TakenMail, 'text'>, page: 'join' | 'password_reset' | 'unsubscribe'): string {
  const [, token] = new RegExp(`${PUBLIC_URL}/${page}/([\\w-]+)`).exec(text) ?? [];
  if (token === undefined) throw new Error(`There is no link to ${page} in: ${text}`);
  return token;
}
