/** A product for tests: the smallest one that commits, publishes, holds a request and uses a socket. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { kernelMigrations } from '../../../../src/kernel/mysql/migrate';
import { tenantOf } from '../../../../src/kernel/actor/address';
import { logEvent } from '../../../../src/kernel/event-log/log-publisher';
import { Download, Outgoing } from '../../../../src/kernel/http/outgoing';
import { media } from '../../../../src/kernel/http/answers';
import { text } from '../../../../src/kernel/http/params';
import { openRoutes, routesFor } from '../../../../src/kernel/http/route';
import type { Product } from '../../../../src/kernel/product';
import type { Caller } from '../../../../src/telephony/model/contacts/contact';
import { telephonyWireFormat } from '../../../../src/telephony/http/wire-format';

export const PROBE_TENANT = tenantOf('probe', 'events');

const { get, post } = openRoutes;
const empty = z.object({});
const guarded = routesFor<Caller>();

async function* failing(after: number): AsyncGenerator<Buffer> {
  for (let count = 0; count < after; count += 1) {
    yield Buffer.alloc(10_000, 120);
    await new Promise(setImmediate);
  }
  throw new Error('the disk is broken');
}

export const probe: Product = {
  name: 'probe',
  migrations: kernelMigrations,
  mount: () => ({
    prefix: '/probe',
    wireFormat: telephonyWireFormat,
    routes: [
      post('/events', {
        summary: 'Commit an event and tell it',
        answer: empty,
        params: { body: text },
        run: ({ kernel, params }) =>
          kernel.transaction((tx) => Promise.resolve(tx.deliver(logEvent(PROBE_TENANT, params.body)))).then(() => ({})),
      }),
      guarded.post('/guarded', { summary: 'For those who may', answer: empty, run: () => Promise.resolve({}) }),
      get('/forever', { summary: 'Never answers, whatever happens', answer: empty, run: () => new Promise(() => {}) }),
      get('/hold', {
        summary: 'Held until the node drains or the client leaves',
        answer: z.object({ released: z.boolean() }),
        run: ({ signal }) =>
          new Promise((resolve) => signal.addEventListener('abort', () => resolve({ released: true }), { once: true })),
      }),
      post('/leaky', {
        summary: 'Fails with a text that holds what it was given',
        answer: empty,
        params: { secret: text },
        run: ({ params: { secret } }) =>
          Promise.reject(
            new Error(
              `GET https://user:${secret}@carrier.example/m?api_key=${secret} failed, Authorization: Bearer ${secret}, ` +
                `called back at https://us.example/webhooks/texting/twilio/${secret} and /bot123456789:${secret}/send`,
            ),
          ),
      }),
      get('/unsendable', {
        summary: 'Answers with a header that cannot be sent',
        answer: empty,
        run: () => Promise.resolve(new Outgoing({}, { headers: { 'X-Lines': 'one\ntwo' } })),
      }),
      get('/unsendable-download', {
        summary: 'Sends bytes with a header that cannot be sent',
        answer: media('text/plain'),
        run: () => Promise.resolve(new Download(Buffer.from('x'), 'text/plain', { 'X-Snow': '\u2603' })),
      }),
      get('/unreadable-download', {
        summary: 'Sends a stream that fails before its first byte',
        answer: media('text/plain'),
        run: () => Promise.resolve(new Download(Readable.from(failing(0)), 'text/plain')),
      }),
      get('/broken-download', {
        summary: 'Sends a stream that fails on its way',
        answer: media('text/plain'),
        run: () => Promise.resolve(new Download(Readable.from(failing(3)), 'text/plain')),
      }),
      get('/slow', {
        summary: 'Answers after a while, whatever happens',
        answer: z.object({ done: z.boolean() }),
        run: () => new Promise((resolve) => setTimeout(() => resolve({ done: true }), 500)),
      }),
    ],
  }),
  session: () => (socket) => {
    socket.on('shout', (word: string) => socket.nsp.emit('heard', word));
  },
};
