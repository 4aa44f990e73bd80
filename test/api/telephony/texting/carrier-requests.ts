/** Requests as carriers make them, signed with the secrets of the demo companies. */
import { createHmac } from 'node:crypto';
import type { Answer, Ask, TestClient } from '../../../support/http/client';

export const DEMO_ONE = { token: 'demo-carrier-one', secret: 'demo-secret-one', number: '+15550100001' } as const;
export const DEMO_TWO = { token: 'demo-carrier-two', secret: 'demo-secret-two', number: '+15550100002' } as const;

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

export function signed(body: string, secret: string, at = nowInSeconds()): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return { 'X-Signature': `t=${at},v1=${signature}`, 'Content-Type': 'application/json' };
}

let counter = 0;

/** A text as the simulated carrier reports it. */
export const inboundText = (more: object = {}) => ({
  id: `in-${process.pid}-${++counter}`,
  from: '+15550109999',
  to: DEMO_ONE.number,
  text: 'hello',
  received_at: new Date().toISOString(),
  ...more,
});

/** Sends a node a report in the name of the simulated carrier. */
export function postAsCarrier(
  node: Pick<TestClient, 'call'>,
  payload: unknown,
  by: { token: string; secret: string } = DEMO_ONE,
  more: Ask & { about?: string } = {},
): Promise<Answer> {
  const raw = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const { about = 'texting', ...ask } = more;
  const headers = { ...signed(raw, by.secret), ...ask.headers };
  return node.call(`/webhooks/${about}/simulated/${by.token}`, { raw, method: 'POST', ...ask, headers });
}
