/** Requests of one tenant's people, services and carriers, over keep-alive connections. */
import { createHmac } from 'node:crypto';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { STREAM, type SmallOrganisation } from '../harness/small-organisation';

export interface Tenant {
  readonly organisation: SmallOrganisation;
  /** A demo company: one or two. */
  readonly company: 'one' | 'two';
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

export class TenantClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #tenant: Tenant;
  #texts = 0;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  ask(port: number, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, method, agent: this.#agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, body: Buffer.concat(parts).toString() });
        });
      });
      asked.on('error', reject);
      asked.end(body);
    });
  }

  /** Sends a chat request as one of its people. */
  chat(port: number, path: string, person: number, form?: Readonly<Record<string, string>>): Promise<Answer> {
    const { host, people } = this.#tenant.organisation;
    const headers = { Host: host, Authorization: people[person % people.length]!, ...(form ? FORM : {}) };
    const body = form && new URLSearchParams(form).toString();
    return this.ask(port, `/api/v1${path}`, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
  }

  send(port: number, person: number, content: string): Promise<Answer> {
    return this.chat(port, '/messages', person, { type: 'stream', to: STREAM, topic: 'benchmarks', content });
  }

  deliver(port: number, bot: number, text: string): Promise<Answer> {
    const { host, bots } = this.#tenant.organisation;
    const query = new URLSearchParams({ api_key: bots[bot % bots.length]!, stream: STREAM, topic: 'deliveries' });
    const headers = { Host: host, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ text });
    return this.ask(port, `/api/v1/external/json?${query.toString()}`, { method: 'POST', headers, body });
  }

  /** Posts a text to the company's number, as its carrier does. */
  text(port: number, text: string): Promise<Answer> {
    const { company } = this.#tenant;
    this.#texts += 1;
    const [from, to] = [`+1555${String(this.#texts).padStart(7, '0')}`, `+1555010000${company === 'one' ? 1 : 2}`];
    const body = JSON.stringify({ id: text, from, to, text, received_at: new Date().toISOString() });
    const at = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', `demo-secret-${company}`).update(`${at}.${body}`).digest('hex');
    const headers = { 'X-Signature': `t=${at},v1=${signature}`, 'Content-Type': 'application/json' };
    return this.ask(port, `/webhooks/texting/simulated/demo-carrier-${company}`, { method: 'POST', headers, body });
  }
}

/** Throws unless the request succeeded. */
export function succeeded(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Error(`a quiet tenant was answered ${answer.status}: ${answer.body.slice(0, 200)}`);
}
