// Test controls of a simulated Asterisk: phones come and go, it restarts or changes phase.
import type { Asked, Pbx } from '../behaviour';
import { readObject, Refusal } from '../exchange';
import type { Answer, Exchange } from '../exchange';
import { conditionOf, isPhase, restart } from './condition';

export async function callSimulated(pbx: Pbx, { request }: Exchange, { instance, path }: Asked): Promise<Answer> {
  const condition = conditionOf(pbx, instance);
  const [, phone] = /^\/simulated\/online\/(\d+)$/.exec(path) ?? [];
  if (phone !== undefined && request.method === 'PUT') condition.online.add(phone);
  else if (phone !== undefined) condition.online.delete(phone);
  else if (path === '/simulated/restart') restart(pbx, instance);
  else if (path === '/simulated/phase') {
    const { phase } = await readObject(request);
    if (!isPhase(phase)) throw new Refusal(400, 'phase is up, no-ari, not-booted or down');
    condition.phase = phase;
  } else throw new Refusal(404, `nothing answers ${path}`);
  return { status: 200, body: {} };
}
