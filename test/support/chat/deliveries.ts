/** Bots, and deliveries of external services to them, for tests with real processes. */
import type { Kernel } from '../../../src/kernel/kernel';
import type { Answer, TestClient } from '../http/client';
import type { Environment } from '../kernel/cluster';
import { newBot, type TestBot } from '../operators';
import { startProcess, type TestProcess } from '../processes/processes';

export async function newBots(kernel: Kernel, count: number, name: string): Promise<TestBot[]> {
  const bots: TestBot[] = [];
  for (let index = 0; index < count; index++) bots.push(await newBot(kernel, `${name}-${index}`));
  return bots;
}

/** Delivers like a service with delivery ids: the same id again is the same delivery again. */
export function deliver(to: TestClient, bot: TestBot, name: string, topic = 'burst'): Promise<Answer> {
  return to.call('/api/v1/external/github', {
    method: 'POST',
    query: { api_key: bot.key, stream: 'test', topic },
    headers: { 'X-GitHub-Event': 'ping', 'X-GitHub-Delivery': name, 'Content-Type': 'application/json' },
    raw: JSON.stringify({
      zen: name,
      hook_id: 1,
      repository: { id: 1, name: 'r', full_name: 'o/r', html_url: 'https://example.com/r' },
      sender: { login: name, id: 1, type: 'User' },
    }),
  });
}

/** The ids of the deliveries that became messages, in the order of the messages. */
export async function deliveredIn(kernel: Kernel, topic: string): Promise<string[]> {
  const contents = (await kernel.mysql('chat_messages').where({ topic }).orderBy('id').pluck('content')) as string[];
  return contents.map((content) => / by ([\w-]+)/.exec(content)?.[1] ?? content);
}

export const pendingOf = async (kernel: Kernel, bot?: TestBot): Promise<number> => {
  const rows = kernel.mysql('chat_deliveries').where({ state: 'pending' });
  const [row] = (await (bot ? rows.where({ bot_id: bot.id }) : rows).count({ count: '*' })) as [{ count: number }];
  return row.count;
};

export async function startWebhookWorker(environment: Environment, more: Environment = {}): Promise<TestProcess> {
  const env = { ...environment, LOG_LEVEL: 'info', ...more };
  const worker = startProcess('workers/main.ts', env, ['chat-webhooks']);
  await worker.line(/worker ready/);
  return worker;
}
